import { at } from '../../schemas/pointer.ts'
import { fillTemplate, placeholders } from '../../schemas/template.ts'
import type { Answer } from './client.ts'
import { type Fields, type Leaf, leavesOf, listsIn, placesOf, recordsAt } from './places.ts'
import {
  answered,
  ask,
  documentedWay,
  filled,
  hit,
  type Search,
  said,
  samplesOf,
  trial,
  type Way,
  waysOf,
} from './search.ts'
import { operationOf, shipped } from './shipped.ts'
import type { Found } from './things.ts'
import { namesFor, plain } from './vocabulary.ts'

/** What pipelines have beside things that are made and removed: status, variables, tap, keys, kinds. */
export async function searchPipelines(search: Search, made: ReadonlyMap<string, Found>): Promise<void> {
  const [pipeline, source, route, placed] = ['pipeline', 'source', 'gateway-route', 'placed-group'].map((type) =>
    made.get(type),
  )
  if (pipeline?.item !== undefined) {
    await searchStatus(search, pipeline.item)
    await searchVariables(search)
    const ways = waysOf(search, 'publish-pipeline', [], MOST_ACTIONS)
    await trial(search, 'publish-pipeline', ways, () => true, { sure: 'likely' })
  }
  if (source) await searchTap(search)
  if (route?.item !== undefined) await searchRoute(search, route.item)
  if (placed?.item !== undefined && search.ids.transform_group_revision_id !== undefined)
    await searchSwitch(search, placed.item)
}

const MOST_ACTIONS = 40

/** What is sent to switch the status. Each value is sent twice: one that only turns it over is none. */
async function searchStatus(search: Search, item: string): Promise<void> {
  const update = operationOf('update-processing-status')
  const told = search.documented.answers.get('GAP-PROCESSING-STATUS-BODY')?.value as
    | { enabled: Fields; disabled: Fields }
    | undefined
  const names = ['processing_status', 'processingStatus', 'enabled', 'active', 'status', 'state', 'processing']
  const values = [
    ['enabled', 'disabled'],
    [true, false],
    ['active', 'inactive'],
    ['running', 'stopped'],
  ]
  const bodies: (readonly [Fields, Fields])[] = [
    ...(told ? [[told.enabled, told.disabled] as const] : []),
    ...values.flatMap(([on, off]) => names.map((name) => [{ [name]: on }, { [name]: off }] as const)),
  ]
  const read: Way = { method: 'GET', path: item }
  for (const [on, off] of bodies) {
    const states: { readonly told: Answer; readonly read: Answer }[] = []
    for (const body of [on, on, off, off]) {
      const answer = await ask(search, update, body)
      if (!answer.ok) break
      states.push({ told: answer, read: await ask(search, read) })
    }
    if (states.length > 0) await ask(search, update, on)
    const last = states.at(-1)
    const records = states.map((state) => state.read.json)
    const place = records.length === 4 ? placeOfSwitch(records, Object.values(off)[0]) : undefined
    if (place === undefined || !last) continue
    const why = ` for ${JSON.stringify(off)}, and ${item} shows it`
    const value = { enabled: on, disabled: off }
    answered(search, 'GAP-PROCESSING-STATUS-BODY', value, said(update, last.told) + why)
    hit(search, update.id, update, last.told, { body: on, sent: off, why })
    hit(search, 'get-pipeline', read, last.read, { told: { processing_status: place } })
    return
  }
  search.open.set(
    'GAP-PROCESSING-STATUS-BODY',
    `none of ${bodies.length} bodies changed the record, twice the same way`,
  )
}

/** Where a record showed one value after both of the first, and another one, that was sent, after both of the others. */
function placeOfSwitch([on, onAgain, off, offAgain]: readonly unknown[], sent: unknown): string | undefined {
  const places = leavesOf(off).filter(
    ({ pointer, value }) =>
      at(on, pointer) === at(onAgain, pointer) && value === at(offAgain, pointer) && value !== at(on, pointer),
  )
  return (
    places.find(({ value }) => value === sent) ??
    places.find(({ name }) => namesFor('processing_status').includes(plain(name)))
  )?.pointer
}

async function searchVariables(search: Search): Promise<void> {
  const update = operationOf('update-state-variables')
  const value = `${search.ledger.prefix}-variable`
  const sent = { pipeline_id: search.ids.pipeline_id, state: { assay_first: value, assay_second: 2 } }
  if (!(await trial(search, update.id, [update], () => true, { sends: [[undefined, sent]] }))) return
  for (const way of waysOf(search, 'get-state-variables')) {
    const query = way.path.includes('{') ? {} : { pipeline_id: '{{pipeline_id}}' }
    const asked = way.path.includes('{') ? {} : { pipeline_id: search.ids.pipeline_id ?? '' }
    const shows = ({ json }: Answer): boolean => placesOf(json, value).length > 0
    const why = ' with the variable that was set'
    if (await trial(search, 'get-state-variables', [way], shows, { asked, query, why })) return
  }
  search.open.set('get-state-variables', 'a variable was set, and no path showed it')
}

async function searchRoute(search: Search, item: string): Promise<void> {
  const read: Way = { method: 'GET', path: item }
  const [sample = {}] = samplesOf(search, 'replace-gateway-route')
  const label = `${search.ledger.prefix}-replaced`
  const shows = async (): Promise<boolean> => placesOf((await ask(search, read)).json, label).length > 0
  const sends = [[sample, filled(search, sample, label)?.sent]] as const
  const ways = [...documentedWay(search, 'replace-gateway-route'), { method: 'PUT', path: item }]
  await trial(search, 'replace-gateway-route', ways, shows, { sends, why: `, and ${item} shows the change` })
  const key = `${search.ledger.prefix}-signing`
  await trial(search, 'add-signing-key', waysOf(search, 'add-signing-key'), () => true, {
    sends: [[{ key: '{{label}}' }, { key }]],
  })
  hit(search, 'get-gateway-route', read, await ask(search, read))
  const all = waysOf(search, 'create-access-key', [], MOST_ACTIONS)
  const title = `${search.ledger.prefix}-access`
  const bodies = [[undefined, undefined] as const, [{ title: '{{label}}' }, { title }] as const]
  await trial(search, 'create-access-key', all, () => true, { sends: bodies, sure: 'likely' })
}

async function searchSwitch(search: Search, item: string): Promise<void> {
  const change = operationOf('switch-group-revision')
  const [template = {}] = samplesOf(search, change.id)
  const body = filled(search, template, search.ledger.prefix)
  const revision = search.ids.transform_group_revision_id
  const read: Way = { method: 'GET', path: item }
  const shows = async (): Promise<boolean> => placesOf((await ask(search, read)).json, revision).length > 0
  if (!body) return
  const why = `, and ${item} shows the revision`
  if (!(await trial(search, change.id, [change], shows, { sends: [[template, body.sent]], why }))) return
  const now = await ask(search, read)
  const [shown] = placesOf(now.json, revision)
  if (shown) hit(search, 'get-placed-group', read, now, { fields: { transform_group_revision_id: shown.name } })
}

const NO_EDGE = 'nowhere'
/** Texts of an event that are tried as the field of a filter, at most. */
const MOST_TEXTS = 6

/** The texts of the first event in the answer of a tap; none that would be taken for a template. */
function textsIn(json: unknown): Leaf[] {
  const [first] = listsIn(json).flatMap((list) => recordsAt(json, list))
  return leavesOf(first).filter(
    ({ name, value }) => typeof value === 'string' && placeholders([name, value]).size === 0,
  )
}

/** A filter that each event with the field matches, and one that none does: a group of expressions joined by `and`. */
function filterOf(field: string): Fields {
  const group = (expression: Fields): Fields => ({ operator: 'and', expressions: [{ field, ...expression }] })
  return { matching: group({ operator: 'exists' }), other: group({ operator: 'equal', value: NO_EDGE }) }
}

/** A tap of the source: the component, the list of events, and filters, each by its effect. */
async function searchTap(search: Search): Promise<void> {
  const tap = operationOf('start-tap')
  const { pipeline_source_id: source = '' } = search.ids
  const isBusy = ({ json }: Answer): boolean => listsIn(json).some((list) => recordsAt(json, list).length > 0)
  const component = ['', '.main', '.output', '.out'].map((end) => `{{pipeline_source_id}}${end}`)
  for (const value of component) {
    search.ids.component_id = value.replace('{{pipeline_source_id}}', source)
    const body = { limit: 1, timeout: 2 }
    const why = ` with events for the component ${value}`
    const found = await trial(search, tap.id, [tap], isBusy, { sends: [[body, body]], why })
    if (!found) continue
    answered(search, 'GAP-TAP-COMPONENT', { component: value }, `a tap of ${value} returned events`)
    const tapped = async (more: Fields): Promise<boolean | undefined> => {
      const answer = await ask(search, tap, fillTemplate({ limit: 1, timeout: 1, ...more }, search.ids))
      return answer.ok ? isBusy(answer) : undefined
    }
    const texts = textsIn(found.answer.json)
    const filters = [
      ...(shipped().flatMap(({ answers }) => answers.get('GAP-TAP-FILTER')?.value ?? []) as Fields[]),
      ...texts.slice(0, MOST_TEXTS).map(({ name }) => filterOf(name)),
    ]
    const named = texts.filter(({ name }) => /edge/i.test(name))
    const between = ['->', '/', ':', '.', '-', '_'].map((one) => `{{pipeline_source_id}}${one}`)
    const edges = [
      ...named.map(({ pointer, value }) => [{ busy: `event:${pointer}`, idle: NO_EDGE }, value, NO_EDGE]),
      ...between
        .map((start) => ({ busy: `${start}{{pipeline_transform_id}}`, idle: start + NO_EDGE }))
        .map((value) => [value, value.busy, value.idle]),
      [{ idle: NO_EDGE }, undefined, NO_EDGE],
    ]
    const tell = async (gap: string, name: string, all: readonly (readonly unknown[])[]): Promise<void> => {
      for (const [value, busy, idle] of all) {
        if ((await tapped({ [name]: busy })) !== true || (await tapped({ [name]: idle })) !== false) continue
        return answered(search, gap, value, 'a tap with the one returned events, with the other none')
      }
    }
    await tell(
      'GAP-TAP-FILTER',
      'filter',
      filters.map((value) => [value, value.matching, value.other]),
    )
    return tell('GAP-TAP-EDGE', 'edge_id', edges)
  }
  search.open.set('GAP-TAP-COMPONENT', 'no tap of the source returned events')
}
