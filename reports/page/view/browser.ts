import { options, type RefObject } from 'preact'
import { useCallback, useEffect, useState } from 'preact/hooks'
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

/** What single keys do, unless somebody is writing. */
export function useKeys(actions: Readonly<Record<string, () => void>>): void {
  useEvents({
    keydown(event) {
      const { key, target } = event
      if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(actions, key)) return
      if (target instanceof Element && target.closest('input, select, textarea')) return
      event.preventDefault()
      actions[key]?.()
    },
  })
}

/** Goes to a field for a search. */
export function goToSearch(field: HTMLInputElement | null | undefined): void {
  field?.scrollIntoView({ block: 'center' })
  field?.focus({ preventScroll: true })
  field?.select()
}

const MOST_MARKS = 2000

/** Marks in what is drawn where the words of a search stand; browsers that cannot mark text show it without. */
export function useMarks(place: RefObject<HTMLElement | null>, search: string, inputs: readonly unknown[]): void {
  useEffect(() => {
    if (!('highlights' in CSS)) return
    const words = search.toLowerCase().split(/\s+/).filter(Boolean)
    CSS.highlights.delete('found')
    if (words.length === 0 || !place.current) return
    // After the picture that answers the key.
    const timer = setTimeout(
      () => CSS.highlights.set('found', new Highlight(...rangesOf(place.current as Node, words))),
      30,
    )
    return () => clearTimeout(timer)
  }, [search, ...inputs])
}

function rangesOf(place: Node, words: readonly string[]): Range[] {
  const ranges: Range[] = []
  const texts = document.createTreeWalker(place, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node && ranges.length < MOST_MARKS; node = texts.nextNode()) {
    const text = node.nodeValue?.toLowerCase() ?? ''
    for (const word of words) {
      for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
        const range = new Range()
        range.setStart(node, at)
        range.setEnd(node, Math.min(at + word.length, node.nodeValue?.length ?? 0))
        ranges.push(range)
      }
    }
  }
  return ranges
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
  const change = useCallback(
    (given: Partial<View>): void =>
      setState(({ view, visits }) => {
        const next = { ...view, ...given }
        history.replaceState(null, '', formatAddress(next))
        return { view: next, visits }
      }),
    [],
  )
  return { ...state, change }
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
