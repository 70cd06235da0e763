import { resolveBinding, shippedBinding } from '../../schemas/binding.ts'
import { createMatcher } from '../../schemas/matcher.ts'
import { at } from '../../schemas/pointer.ts'
import type { MixRequest } from './mix.ts'

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

const files = [shippedBinding('reference'), shippedBinding('default')]
const binding = resolveBinding({ name: 'reference', chain: files.map(({ name }) => name), files })

/**
 * The requests are about things that a fresh target has. One of each type is made there, with the request that made the
 * first one in the recording. Its id takes the place of all ids of that type. Without this nearly every request would
 * be answered with 404, which costs a target less than what the run asked of it. Requests that delete or switch
 * something off are left out. So are most taps: all are of the one pipeline, and would wait for events.
 */
export async function aboutLiveThings(url: string, mix: readonly MixRequest[]): Promise<MixRequest[]> {
  const match = createMatcher(binding.operations.values())
  const pathOf = ({ path }: MixRequest): string => path.split('?')[0] ?? path
  const makers = new Map([...binding.resources.values()].map(({ create = '', id }) => [create, id]))
  const names = new Set(makers.values())
  const typeOf = new Map<string, string>()
  for (const request of mix) {
    const matched = match(request.method, pathOf(request))
    for (const [name, value] of Object.entries(matched?.params ?? {}))
      if (isUuid(value) && names.has(name)) typeOf.set(value, name)
    // A thing that is made and then only named in bodies has no id in a path.
    const made = at(parsed(request.answer), matched?.operation.answer.id ?? '/-')
    const name = makers.get(matched?.operation.id ?? '')
    if (name !== undefined && isUuid(made)) typeOf.set(made, name)
  }
  const live = new Map<string, string>()
  const renamed = (text: string): string => text.replaceAll(UUID, (id) => live.get(typeOf.get(id) ?? '') ?? id)
  const moved = (request: MixRequest): MixRequest => ({
    ...request,
    path: renamed(request.path),
    ...(request.body === undefined ? {} : { body: renamed(request.body) }),
  })
  for (const [type, { id: name, create, list, key = 'id' }] of binding.resources) {
    if (create === undefined || type === 'member' || type === 'archiving') continue
    const operation = binding.operations.get(create)
    for (const request of mix) {
      if (match(request.method, pathOf(request))?.operation.id !== create) continue
      const answer = await ask(url, moved(request))
      if (answer === undefined) continue
      const told = at(answer, operation?.answer.id ?? '/id')
      const id = told ?? (await newest(url, moved(request), binding.operations.get(list ?? '')?.path, key))
      if (typeof id === 'string') live.set(name, id)
      break
    }
  }
  const isAway = (request: MixRequest): boolean =>
    request.method === 'DELETE' || match(request.method, pathOf(request))?.operation.id === 'update-processing-status'
  return evened(mix).map((request) => (isAway(request) ? request : moved(request)))
}

/** Preset alerts are made and never removed here, which makes their lists twice as long: every second one is left out. */
function evened(mix: readonly MixRequest[]): MixRequest[] {
  let lists = 0
  return mix.filter(({ method, path }) => {
    if (method !== 'GET' || path !== '/v1/config/presetalert') return true
    lists += 1
    return lists % 2 === 1
  })
}

function isUuid(value: unknown): value is string {
  return typeof value === 'string' && value.match(UUID)?.[0] === value
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

/** The answer of a request that is accepted. */
async function ask(url: string, { method, path, headers, body }: MixRequest): Promise<unknown> {
  const response = await fetch(`${url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) })
  const text = await response.text()
  return response.ok ? (text === '' ? {} : JSON.parse(text)) : undefined
}

/** The id of the last element of a list, for things whose making does not tell their id. */
async function newest(url: string, like: MixRequest, path: string | undefined, key: string): Promise<unknown> {
  if (path === undefined) return undefined
  const list = await ask(url, { method: 'GET', path, headers: like.headers })
  return Array.isArray(list) ? at(list.at(-1), `/${key}`) : undefined
}
