import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'

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
