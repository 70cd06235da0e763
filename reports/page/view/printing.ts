import { options } from 'preact'
import { useEffect, useState } from 'preact/hooks'

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
