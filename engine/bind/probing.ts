import type { Binding, TargetOperation } from '../../schemas/binding.ts'
import { fillPath } from '../../schemas/matcher.ts'
import { at } from '../../schemas/pointer.ts'
import type { Sink } from '../../schemas/types/config.ts'
import type { Answer, Client, Ledger, Made } from './client.ts'
import type { Findings, FoundOperation } from './found.ts'
import { type Fields, isRecord, leavesOf, placesOf, recordIn } from './places.ts'

/** What probing has at hand. */
export interface Probe {
  readonly client: Client
  readonly ledger: Ledger
  /** shipped bindings, the one with the fullest samples first */
  readonly shipped: readonly Binding[]
  readonly sink: Sink
  /** what the user agreed to */
  readonly agreed: {
    readonly modify: boolean
    readonly exclusions: boolean
    readonly suspend: boolean
    readonly archiving: boolean
  }
  readonly findings: Findings
  /** placeholder -> id of what was made, or found */
  readonly ids: Record<string, string>
  /** what each family answers of a path that there cannot be */
  readonly nothing: ReadonlyMap<string, Answer>
}

/** A thing that was made and found again. */
export interface Found {
  readonly type: string
  readonly label: string
  /** template of its own path; undefined where it cannot be read */
  readonly item: string | undefined
  readonly body: Fields
  readonly record: unknown
}

type Method = FoundOperation['method']

export function operationOf({ shipped }: Probe, id: string): TargetOperation | undefined {
  for (const binding of shipped) {
    const found = binding.operations.get(id)
    if (found !== undefined && found.path !== '') return found
  }
  return undefined
}

export function familyOf(path: string): string {
  if (path.startsWith('/v3/')) return 'v3'
  if (path.startsWith('/v1/enterprise')) return 'enterprise'
  return path.startsWith('/v2/') ? 'v2' : 'v1'
}

/** Sends a request to a path with our placeholders. */
export async function ask(probe: Probe, method: string, path: string, body?: unknown, query = ''): Promise<Answer> {
  return await probe.client.send({ method, path: fillPath(path, probe.ids) + query, family: familyOf(path), body })
}

/** Writes down whether something was made, and returns its id. `pointer`: where the response has it. */
export async function noteMade(
  probe: Probe,
  thing: Made,
  answer: Answer,
  pointer: string,
): Promise<string | undefined> {
  const id = at(answer.json, pointer)
  if (!answer.ok || (typeof id !== 'string' && typeof id !== 'number')) {
    if (answer.status >= 400 && answer.status < 500) await probe.ledger.notMade(thing)
    return undefined
  }
  await probe.ledger.made(thing, String(id))
  return String(id)
}

/** Whether an answer is what the target says of any path that there is not. */
export function isNothing({ nothing }: Probe, path: string, answer: Answer): boolean {
  const control = nothing.get(familyOf(path))
  if (control === undefined) return false
  if (answer.status !== control.status) return answer.status === 404 && !isRecord(answer.json)
  return shapeOf(answer) === shapeOf(control)
}

/** A body without what it quotes of the request. */
function shapeOf({ json, text }: Answer): string {
  if (json === undefined) return text.replaceAll(/\/[\w/.-]+/g, '').slice(0, 500)
  return leavesOf(json)
    .map(({ pointer, value }) => `${pointer}=${String(value).replaceAll(/\/[\w/.-]+|assay-\w+|[0-9a-f-]{36}/g, '')}`)
    .join('\n')
}

/** Operations in the words of a message: GET /v1/config/panels returned 200. */
export function said(method: string, path: string, { status }: Answer): string {
  return `${method} ${path} returned ${status}`
}

export function note(probe: Probe, found: Omit<FoundOperation, 'method'> & { readonly method: string }): void {
  probe.findings.operations.set(found.id, { ...found, method: found.method as Method })
  probe.findings.open.delete(found.id)
}

/** The shipped samples of an operation's body; those of the specification's words first. */
export function samplesOf({ shipped }: Probe, operation: string): Fields[] {
  const bodies = shipped.flatMap(({ operations }) => operations.get(operation)?.body ?? [])
  return [...new Map(bodies.filter(isRecord).map((body) => [JSON.stringify(body), body])).values()]
}

export function paramsIn(path: string, ids: Readonly<Record<string, string>>): Record<string, string> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return Object.fromEntries(names.flatMap((name) => (ids[name] === undefined ? [] : [[name, ids[name]]])))
}

/** Where an answer has the id, and the record where it shows what was sent: many answer with no more than the id. */
export function placesIn(json: unknown, id: string, sent: Fields): Record<string, string> {
  const place = recordIn(json, id, [])
  if (place?.id === undefined) return {}
  const record = at(json, place.record)
  const isWhole = leavesOf(sent).some(
    ({ value }) => value !== id && String(value).length > 2 && placesOf(record, value).length > 0,
  )
  return { ...(isWhole ? { record: place.record } : {}), id: place.id }
}
