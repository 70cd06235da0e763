import type { TargetOperation } from '../../schemas/binding.ts'
import { at } from '../../schemas/pointer.ts'
import { type Fields, isRecord, leavesOf, listsIn, placesOf, recordIn } from './places.ts'
import { ask, type Found, note, operationOf, type Probe, placesIn, said, samplesOf } from './probing.ts'

/** A tap of the source: the list of events in its answer. */
export async function probeTap(probe: Probe): Promise<void> {
  const tap = operationOf(probe, 'start-tap')
  const source = probe.ids.pipeline_source_id
  if (!tap || source === undefined) return
  for (const component of [
    '{{pipeline_source_id}}',
    '{{pipeline_source_id}}.main',
    '{{pipeline_source_id}}.output',
    '{{pipeline_source_id}}.out',
  ]) {
    const ids = { ...probe.ids, component_id: component.replace('{{pipeline_source_id}}', source) }
    const body = { limit: 1, timeout: 2 }
    const answer = await ask({ ...probe, ids }, tap.method, tap.path, body)
    const events = listsIn(answer.json).find((pointer) => {
      const list = at(answer.json, pointer)
      return Array.isArray(list) && list.length > 0
    })
    if (!answer.ok || events === undefined) continue
    const from = `probe: ${said(tap.method, tap.path, answer)} with events for the component ${component}`
    probe.findings.answers.set('GAP-TAP-ANSWER', { value: { events }, from, sure: 'proven' })
    probe.findings.answers.set('GAP-TAP-COMPONENT', { value: { component }, from, sure: 'proven' })
    note(probe, {
      id: tap.id,
      method: tap.method,
      path: tap.path,
      body,
      answer: { events },
      status: answer.status,
      from,
      sure: 'proven',
    })
    await probeTapParts({ ...probe, ids }, tap, events)
    return
  }
  probe.findings.open.set('GAP-TAP-COMPONENT', 'no tap of the source returned events')
}

/** Filters and edges, each by its effect: one lets events through, the other none. */
async function probeTapParts(probe: Probe, { method, path }: TargetOperation, events: string): Promise<void> {
  const { pipeline_source_id: source = '', pipeline_transform_id: transform = '' } = probe.ids
  const count = async (more: Fields): Promise<number> => {
    const answer = await ask(probe, method, path, { limit: 1, timeout: 1, ...more })
    const list = at(answer.json, events)
    return answer.ok && Array.isArray(list) ? list.length : -1
  }
  const known = probe.shipped.flatMap(({ answers }) => answers.get('GAP-TAP-FILTER')?.value ?? [])
  for (const value of known as { matching: unknown; other: unknown }[]) {
    if ((await count({ filter: value.matching })) < 1 || (await count({ filter: value.other })) !== 0) continue
    probe.findings.answers.set('GAP-TAP-FILTER', {
      value,
      from: 'probe: a tap with the one returned events, with the other none',
      sure: 'proven',
    })
    break
  }
  for (const between of ['->', '/', ':', '.', '-', '_']) {
    if ((await count({ edge_id: `${source}${between}${transform}` })) < 1) continue
    if ((await count({ edge_id: `${source}${between}nowhere` })) !== 0) continue
    const value = {
      busy: `{{pipeline_source_id}}${between}{{pipeline_transform_id}}`,
      idle: `{{pipeline_source_id}}${between}nowhere`,
    }
    probe.findings.answers.set('GAP-TAP-EDGE', {
      value,
      from: 'probe: a tap of the one edge returned events, of the other none',
      sure: 'proven',
    })
    break
  }
}

export async function probeRoute(probe: Probe, route: Found, item: string): Promise<void> {
  for (const operation of ['update-gateway-route', 'replace-gateway-route']) {
    const known = operationOf(probe, operation)
    if (!known) continue
    const path = known.specified ? known.path : item
    const sample = samplesOf(probe, operation)[0] ?? {}
    const before = await ask(probe, 'GET', item)
    const label = `${route.label}-${operation.slice(0, 2)}`
    const sent: Fields = { ...sample, title: label, legacy_routing: operation === 'update-gateway-route' }
    const answer = await ask(probe, known.method, path, sent)
    const after = await ask(probe, 'GET', item)
    if (!answer.ok || placesOf(after.json, label).length === 0) {
      probe.findings.open.set(operation, `${said(known.method, path, answer)}, and no change was seen`)
      continue
    }
    note(probe, {
      id: operation,
      method: known.method,
      path,
      body: sample,
      answer: placesIn(answer.json, probe.ids.gateway_route_id ?? '', sent),
      status: answer.status,
      from: `probe: ${said(known.method, path, answer)}, and ${item} shows the change`,
      sure: 'proven',
    })
    noteFlag(probe, before.json, after.json, sent.legacy_routing)
  }
}

/** A flag is found by its change: no two other fields of a record turn with it. */
function noteFlag(probe: Probe, before: unknown, after: unknown, value: unknown): void {
  const turned = leavesOf(after).filter(({ pointer, value: now }) => now === value && at(before, pointer) === !value)
  const [only] = turned
  if (turned.length !== 1 || !only || only.name === 'legacy_routing') return
  for (const id of ['get-gateway-route', 'list-gateway-routes']) {
    const found = probe.findings.operations.get(id)
    if (found) note(probe, { ...found, fields: { ...found.fields, legacy_routing: only.name } })
  }
}

export async function probeSigningKey(probe: Probe, item: string): Promise<void> {
  const add = operationOf(probe, 'add-signing-key')
  if (!add) return
  const key = `${probe.ledger.prefix}-signing`
  const answer = await ask(probe, add.method, add.path, { key })
  if (!answer.ok) {
    probe.findings.open.set(add.id, said(add.method, add.path, answer))
    return
  }
  const read = await ask(probe, 'GET', item)
  const [told, shown] = [answer, read].map(({ json }) => signingIn(json, key))
  note(probe, {
    id: add.id,
    method: add.method,
    path: add.path,
    body: { key: '{{label}}' },
    answer: { ...(told === undefined ? {} : { signing_keys: told }), ...routeIn(probe, answer.json) },
    status: answer.status,
    from: `probe: ${said(add.method, add.path, answer)}`,
    sure: 'proven',
  })
  const found = probe.findings.operations.get('get-gateway-route')
  if (found && shown !== undefined) note(probe, { ...found, answer: { ...found.answer, signing_keys: shown } })
}

function routeIn(probe: Probe, json: unknown): Record<string, string> {
  const place = recordIn(json, probe.ids.gateway_route_id ?? '', [])
  return place?.id === undefined ? {} : { record: place.record, id: place.id }
}

/** The list that holds the key, or one named after it where keys are hidden. */
function signingIn(json: unknown, key: string): string | undefined {
  const [place] = placesOf(json, key)
  if (place) {
    const parts = place.pointer.split('/')
    const index = parts.findLastIndex((part) => /^\d+$/.test(part))
    return index < 0 ? undefined : parts.slice(0, index).join('/')
  }
  const named = (value: unknown, pointer: string): string | undefined => {
    if (!isRecord(value)) return undefined
    for (const [name, inner] of Object.entries(value)) {
      if (Array.isArray(inner) && inner.length > 0 && /signing/i.test(name)) return `${pointer}/${name}`
      const found = named(inner, `${pointer}/${name}`)
      if (found !== undefined) return found
    }
    return undefined
  }
  return named(json, '')
}
