import type { ExchangeView } from './view.ts'

/** Whether the specification, or the binding, says what a parameter of a query is for. */
export function isKnownParameter(name: string, { operation, specified }: ExchangeView): boolean {
  return (
    name in (operation?.query ?? {}) ||
    Object.values(operation?.parameters ?? {}).includes(name) ||
    (specified?.parameters.some((parameter) => parameter.name === name) ?? false)
  )
}
