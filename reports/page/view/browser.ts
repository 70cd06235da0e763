import { options, type RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { formatAddress, parseAddress, type View } from '../model/address.ts'

/** Listens to the whole window. Actions of the first drawing stay, unless one of `inputs` changes. */
export function useEvents(
  actions: { readonly [Name in keyof WindowEventMap]?: (event: WindowEventMap[Name]) => void },
  inputs: readonly unknown[] = [],
): void {
  useEffect(() => {
    const stop = new AbortController()
    for (const [name, action] of Object.entries(actions)) {
      addEventListener(name, action as (event: Event) => void, { signal: stop.signal })
    }
    return () => stop.abort()
  }, inputs)
}

/** `/` goes to the search, unless somebody is writing. */
export function useSearchKey(field: RefObject<HTMLInputElement | null>): void {
  useEvents({
    keydown(event) {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
      const { target } = event
      if (target instanceof Element && target.closest('input, select, textarea')) return
      event.preventDefault()
      field.current?.scrollIntoView({ block: 'center' })
      field.current?.focus({ preventScroll: true })
      field.current?.select()
    },
  })
}

/** Whether the page is being printed: then everything is open, drawn before the browser takes its picture. */
export function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false)
  const set = (to: boolean) => (): void => {
    const later = options.debounceRendering
    options.debounceRendering = (draw) => draw()
    setPrinting(to)
    if (later) options.debounceRendering = later
    else delete options.debounceRendering
  }
  useEvents({ beforeprint: set(true), afterprint: set(false) })
  return printing
}

/**
 * The whole view is in the address, so that a link to it shows the same. `settle` may change the view of a link: one to
 * a requirement shows it, whatever else it asks for. `visits` grows whenever somebody follows a link or opens one.
 * `change` changes what is shown, and the address with it, without a step in the history.
 */
export function useAddress(settle: (view: View) => View) {
  const [state, setState] = useState(() => ({ view: settle(parseAddress(location.hash)), visits: 1 }))
  useEvents({
    hashchange: () => setState(({ visits }) => ({ view: settle(parseAddress(location.hash)), visits: visits + 1 })),
  })
  return {
    ...state,
    change(given: Partial<View>): void {
      const view = { ...state.view, ...given }
      history.replaceState(null, '', formatAddress(view))
      setState({ view, visits: state.visits })
    },
  }
}

/** Brings what an address names into sight and gives it the focus, whenever somebody goes there. */
export function useVisit(anchor: string, visits: number): void {
  // opening a row changes the address, but goes nowhere
  useEffect(() => {
    if (anchor === '') return
    const place = document.getElementById(anchor)
    // The browser itself goes to what stands there already. A user who has moved on inside of it since is not called
    // back.
    if (!place || (place !== document.activeElement && place.contains(document.activeElement))) return
    place.scrollIntoView({ block: 'start' })
    place.focus({ preventScroll: true })
  }, [visits])
}
