import { options, type RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { formatAddress, parseAddress, type View } from '../model/address.ts'

/** `/` goes to the search, unless somebody is writing. */
export function useSearchKey(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
      const { target } = event
      if (target instanceof Element && target.closest('input, select, textarea')) return
      event.preventDefault()
      field.current?.scrollIntoView({ block: 'center' })
      field.current?.focus({ preventScroll: true })
      field.current?.select()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [field])
}

/** Whether the page is being printed: then everything is open, drawn before the browser takes its picture. */
export function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false)
  useEffect(() => {
    const set = (to: boolean) => (): void => {
      const later = options.debounceRendering
      options.debounceRendering = (draw) => draw()
      setPrinting(to)
      if (later) options.debounceRendering = later
      else delete options.debounceRendering
    }
    const [begin, end] = [set(true), set(false)]
    addEventListener('beforeprint', begin)
    addEventListener('afterprint', end)
    return () => {
      removeEventListener('beforeprint', begin)
      removeEventListener('afterprint', end)
    }
  }, [])
  return printing
}

export interface AddressState {
  readonly view: View
  /** grows whenever somebody follows a link or opens one */
  readonly visits: number
  /** Changes what is shown, and the address with it, without a step in the history. */
  change(given: Partial<View>): void
}

/**
 * The whole view is in the address, so that a link to it shows the same. `settle` may change the view of a link: one to
 * a requirement shows it, whatever else it asks for.
 */
export function useAddress(settle: (view: View) => View): AddressState {
  const [state, setState] = useState(() => ({ view: settle(parseAddress(location.hash)), visits: 1 }))
  // the choice of a link does not change
  useEffect(() => {
    const followed = (): void =>
      setState(({ visits }) => ({ view: settle(parseAddress(location.hash)), visits: visits + 1 }))
    addEventListener('hashchange', followed)
    return () => removeEventListener('hashchange', followed)
  }, [])
  return {
    ...state,
    change(given) {
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
