import { at } from '../../schemas/pointer.ts'
import { type Fields, leavesOf, parentOf, placesOf, recordIn } from './places.ts'
import { probeUpdate } from './probe-changes.ts'
import { probeRoute, probeSigningKey, probeTap } from './probe-routes.ts'
import {
  ask,
  type Found,
  isNothing,
  note,
  noteMade,
  operationOf,
  type Probe,
  placesIn,
  said,
  samplesOf,
} from './probing.ts'
import { namesFor, pathsOf, patternsOf, plain } from './vocabulary.ts'

/** What pipelines have beside things that are made and removed: kinds, status, tap, keys, variables. */
export async function probePipelines(probe: Probe, made: ReadonlyMap<string, Found>): Promise<void> {
  const pipeline = made.get('pipeline')
  const route = made.get('gateway-route')
  for (const type of ['source', 'transform'] as const) {
    const node = made.get(type)
    if (node) await probeNode(probe, node)
  }
  if (pipeline?.item !== undefined) {
    await probeStatus(probe, pipeline.item)
    await probeVariables(probe, pipeline.item)
    await probeAction(probe, 'publish-pipeline', pipeline.item)
    await probeTap(probe)
    const source = made.get('source')
    if (source) await probeVendors(probe, source.body)
  }
  if (route?.item !== undefined) {
    await probeRoute(probe, route, route.item)
    await probeSigningKey(probe, route.item)
    await probeAction(probe, 'create-access-key', route.item)
  }
  const placed = made.get('placed-group')
  if (placed?.item !== undefined && probe.ids.transform_group_revision_id !== undefined)
    await probeSwitch(probe, placed.item)
}

/** The field that holds the kind of a node, and its change. */
async function probeNode(probe: Probe, node: Found): Promise<void> {
  const { type, item, body } = node
  const update = operationOf(probe, `update-${type}`)
  if (item === undefined || !update) return
  const gap = `GAP-${type.toUpperCase()}-KIND-FIELD`
  const kind = String(body.type ?? '')
  const before = await ask(probe, 'GET', item)
  const generation = generationOf(probe, `get-${type}`, before.json)
  if (placesOf(before.json, kind).length === 0) {
    // The value is not in the record under this name: perhaps the target has another one for it.
    for (const name of namesFor('type').filter((one) => one !== 'type')) {
      const { type: _kind, ...rest } = body
      const sent = { ...rest, [name]: kind, ...generationFor(probe, type, await ask(probe, 'GET', item)) }
      const answer = await ask(probe, update.method, update.path, sent)
      const now = answer.ok ? await ask(probe, 'GET', item) : undefined
      const [place] = now?.ok === true ? placesOf(now.json, kind) : []
      if (!place) continue
      probe.findings.answers.set(gap, {
        value: name,
        from: `probe: ${kind} was sent as ${name} and stands at ${place.pointer} of ${item}`,
        sure: 'proven',
      })
      renameKind(probe, type, name, place.name)
      return await probeUpdate(
        probe,
        { ...node, body: sent },
        { generation: generationOf(probe, `get-${type}`, now?.json) },
      )
    }
    probe.findings.open.set(gap, `${kind} was sent as the kind, but the record does not show it`)
  } else
    probe.findings.answers.set(gap, {
      value: 'type',
      from: `probe: ${kind} was sent as the kind, and the record shows it`,
      sure: 'proven',
    })
  await probeUpdate(probe, node, { generation })
}

function generationOf({ findings }: Probe, operation: string, json: unknown): unknown {
  const pointer = findings.operations.get(operation)?.answer?.generation
  return pointer === undefined ? undefined : at(json, pointer)
}

function generationFor(probe: Probe, type: string, { json }: { json: unknown }): Fields {
  const generation = generationOf(probe, `get-${type}`, json)
  return generation === undefined ? {} : { generation_id: generation }
}

/** The samples and the fields of a node, with the target's name of the kind. */
function renameKind({ findings }: Probe, type: string, name: string, _place: string): void {
  for (const id of [`create-${type}`, `update-${type}`]) {
    const found = findings.operations.get(id)
    if (!found?.body) continue
    const { type: kind, ...rest } = found.body
    findings.operations.set(id, { ...found, body: { [name]: kind, ...rest } })
  }
  for (const id of [`get-${type}`, `list-${type}s`]) {
    const found = findings.operations.get(id)
    const { type: _type, ...fields } = found?.fields ?? {}
    if (!found) continue
    const deep = Object.values(fields).find((place) => place.startsWith('/'))
    const folder = deep === undefined ? undefined : parentOf(deep)
    findings.operations.set(id, {
      ...found,
      fields: folder === undefined ? fields : { ...fields, [name]: `${folder}/${name}` },
    })
  }
}

/** What is sent to switch the status: the record then shows something else than before. */
async function probeStatus(probe: Probe, item: string): Promise<void> {
  const update = operationOf(probe, 'update-processing-status')
  if (!update) return
  const bodies: [Fields, Fields][] = [
    [{ processing_status: 'enabled' }, { processing_status: 'disabled' }],
    [{ active: true }, { active: false }],
    [{ enabled: true }, { enabled: false }],
    [{ processing_status: 'active' }, { processing_status: 'inactive' }],
    [{ status: 'enabled' }, { status: 'disabled' }],
    [{ processingStatus: 'enabled' }, { processingStatus: 'disabled' }],
    [{ processing: true }, { processing: false }],
  ]
  for (const [on, off] of bodies) {
    const first = await ask(probe, update.method, update.path, on)
    const before = await ask(probe, 'GET', item)
    const second = await ask(probe, update.method, update.path, off)
    const after = await ask(probe, 'GET', item)
    if (!first.ok || !second.ok) continue
    const place = changedPlace(before.json, after.json, Object.values(on)[0], Object.values(off)[0])
    await ask(probe, update.method, update.path, on)
    if (place === undefined) continue
    const from = `probe: ${said(update.method, update.path, second)} for ${JSON.stringify(off)}, and ${item} shows it`
    probe.findings.answers.set('GAP-PROCESSING-STATUS-BODY', {
      value: { enabled: on, disabled: off },
      from,
      sure: 'proven',
    })
    const told = placesOf(second.json, Object.values(off)[0])[0]
    const record = told && recordIn(second.json, probe.ids.pipeline_id ?? '', [])?.record
    note(probe, {
      id: update.id,
      method: update.method,
      path: update.path,
      body: on,
      answer: {
        ...(told ? { processing_status: told.pointer } : {}),
        ...(record === undefined ? {} : { record }),
      },
      status: second.status,
      from,
      sure: 'proven',
    })
    const read = probe.findings.operations.get('get-pipeline')
    if (read) note(probe, { ...read, answer: { ...read.answer, processing_status: place } })
    return
  }
  probe.findings.open.set('GAP-PROCESSING-STATUS-BODY', `none of ${bodies.length} bodies changed the record`)
}

/** Where a value of the record went from one to the other. */
function changedPlace(before: unknown, after: unknown, from: unknown, to: unknown): string | undefined {
  return placesOf(after, to).find(({ pointer }) => at(before, pointer) === from)?.pointer
}

async function probeVariables(probe: Probe, item: string): Promise<void> {
  const update = operationOf(probe, 'update-state-variables')
  if (!update) return
  const value = `${probe.ledger.prefix}-variable`
  const sent = { pipeline_id: probe.ids.pipeline_id, state: { assay_first: value, assay_second: 2 } }
  const answer = await ask(probe, update.method, update.path, sent)
  const told = placesOf(answer.json, value)[0]
  if (!answer.ok) {
    probe.findings.open.set(update.id, said(update.method, update.path, answer))
    return
  }
  const from = `probe: ${said(update.method, update.path, answer)}`
  note(probe, {
    id: update.id,
    method: update.method,
    path: update.path,
    answer: told ? { record: parentOf(told.pointer) } : {},
    status: answer.status,
    from,
    sure: 'proven',
  })
  const below = pathsOf('v3 pipeline * variable', item).map((path) => ({ path, query: {} }))
  const beside = [...new Set(['/v3/pipeline/state-variable', ...pathsOf('v3 pipeline variable')])].map((path) => ({
    path,
    query: { pipeline_id: '{{pipeline_id}}' },
  }))
  for (const { path, query } of [...beside.slice(0, 1), ...below, ...beside.slice(1)]) {
    const search = Object.keys(query).length === 0 ? '' : `?pipeline_id=${probe.ids.pipeline_id}`
    const read = await ask(probe, 'GET', path, undefined, search)
    const place = read.ok && !isNothing(probe, path, read) ? placesOf(read.json, value)[0] : undefined
    if (!place) continue
    const record = parentOf(place.pointer)
    const id = firstId(read.json)?.id
    note(probe, {
      id: 'get-state-variables',
      method: 'GET',
      path,
      query,
      answer: { record, ...(id === undefined ? {} : { id }) },
      status: read.status,
      from: `probe: ${said('GET', path, read)} with the variable that was set`,
      sure: 'proven',
    })
    return
  }
  probe.findings.open.set('get-state-variables', 'a variable was set, and no path showed it')
}

/** A call on something that was made, which only has to be answered. */
async function probeAction(probe: Probe, id: string, item: string): Promise<void> {
  const known = operationOf(probe, id)
  const patterns = patternsOf(id).filter((pattern) => pattern.startsWith('POST '))
  const paths = [...(known ? [known.path] : []), ...patterns.flatMap((pattern) => pathsOf(pattern.slice(5), item))]
  for (const path of new Set(paths)) {
    if ([...path.matchAll(/\{(\w+)\}/g)].some(([, name = '']) => probe.ids[name] === undefined)) continue
    const answer = await ask(probe, 'POST', path)
    if (!answer.ok || isNothing(probe, path, answer)) continue
    const place =
      id === 'publish-pipeline' ? recordIn(answer.json, probe.ids.pipeline_id ?? '', []) : firstId(answer.json)
    note(probe, {
      id,
      method: 'POST',
      path,
      answer:
        place?.id === undefined ? {} : { ...(id === 'publish-pipeline' ? { record: place.record } : {}), id: place.id },
      status: answer.status,
      from: `probe: ${said('POST', path, answer)}`,
      sure: 'likely',
    })
    return
  }
  probe.findings.open.set(id, `no path of ${new Set(paths).size} answered`)
}

function firstId(json: unknown): { record: string; id?: string } | undefined {
  const leaf = leavesOf(json).find(({ name }) => namesFor('id').slice(0, 3).includes(plain(name)))
  return leaf && { record: parentOf(leaf.pointer), id: leaf.pointer }
}

/** The kinds of sources that the specification writes with `vendor`: taken literally, or not. */
async function probeVendors(probe: Probe, body: Fields): Promise<void> {
  const create = probe.findings.operations.get('create-source')
  const read = probe.findings.operations.get('get-source')
  const field = String(probe.findings.answers.get('GAP-SOURCE-KIND-FIELD')?.value ?? 'type')
  const words: Record<string, string> = {}
  if (!create || !read?.answer?.id) return
  for (const kind of ['vendor-hec', 'vendor-agent', 'vendor-monitoring-source', 'vendor-event-hub']) {
    const label = `${probe.ledger.prefix}-${kind}`
    const thing = await probe.ledger.making('source', label, { pipeline_id: probe.ids.pipeline_id ?? '' })
    const answer = await ask(probe, 'POST', create.path, { ...body, title: label, [field]: kind })
    const id = await noteMade(probe, thing, answer, create.answer?.id ?? '')
    if (id === undefined) continue
    const shown = await ask({ ...probe, ids: { ...probe.ids, pipeline_source_id: id } }, 'GET', read.path)
    if (placesOf(shown.json, kind).length > 0) words[kind] = kind
  }
  if (Object.keys(words).length === 0) return
  probe.findings.answers.set('GAP-VENDOR-KINDS', {
    value: words,
    from: 'probe: sources of these kinds were made and read',
    sure: 'proven',
  })
}

async function probeSwitch(probe: Probe, item: string): Promise<void> {
  const change = operationOf(probe, 'switch-group-revision')
  if (!change) return
  const template = samplesOf(probe, change.id)[0] ?? {}
  const revision = probe.ids.transform_group_revision_id ?? ''
  const sent = { transform_group_revision_id: revision, inputs: [probe.ids.pipeline_transform_id] }
  const answer = await ask(probe, change.method, change.path, sent)
  const now = await ask(probe, 'GET', item)
  const [shown] = placesOf(now.json, revision)
  if (!answer.ok || !shown) {
    probe.findings.open.set(change.id, `${said(change.method, change.path, answer)}, and the revision was not seen`)
    return
  }
  const [told] = placesOf(answer.json, revision)
  noteField(probe, 'placed-group', 'transform_group_revision_id', shown.pointer)
  note(probe, {
    id: change.id,
    method: change.method,
    path: change.path,
    body: template,
    answer: {
      ...placesIn(answer.json, probe.ids.pipeline_transform_group_id ?? '', sent),
      ...(told ? { revision: told.pointer } : {}),
    },
    status: answer.status,
    from: `probe: ${said(change.method, change.path, answer)}, and ${item} shows the revision`,
    sure: 'proven',
  })
}

/** The read of a kind of resource shows at a place what was sent under a name: then its record calls it so. */
function noteField({ findings, shipped }: Probe, type: string, name: string, pointer: string): void {
  const read = findings.operations.get(shipped[0]?.resources.get(type)?.read ?? '')
  const record = read?.answer?.record
  if (read === undefined || record === undefined || !pointer.startsWith(`${record}/`)) return
  const place = pointer.slice(record.length)
  const theirs = place.lastIndexOf('/') === 0 ? place.slice(1) : place
  findings.operations.set(read.id, { ...read, fields: { [name]: theirs, ...read.fields } })
}
