import { service } from '../../../schemas/service.ts'

/** Every schema that values are made from: of the bodies, of the parameters, and of the kinds of nodes. */
export function requestRefs(): string[] {
  const refs = service().operations.flatMap(({ request, parameters = [], kind }) =>
    [request, ...parameters, kind].flatMap((one) => one?.schema ?? []),
  )
  return [...new Set(refs)]
}
