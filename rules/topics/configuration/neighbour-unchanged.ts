import { isDeepStrictEqual } from 'node:util'
import type { Binding } from '../../../schemas/binding.ts'
import { at } from '../../../schemas/pointer.ts'
import { probes } from '../../../schemas/records/intents.ts'
import { operationsOn, resourceRow, service } from '../../../schemas/service.ts'
import { broken, type Claim, decide, held, type Judgement } from '../../core/judgement.ts'
import { idIn, listIn, pipelineOfState, recordIn, showsThing } from '../../core/reads.ts'
import { isRecord } from '../../core/request-rules.ts'
import { resembles } from '../../core/resembles.ts'
import type { Oracle } from '../../core/rule.ts'
import { type ExchangeView, jsonOf, leftAlone } from '../../core/view.ts'
import { inWords, shown } from '../../core/words.ts'
import { doubtOf, isSettled } from '../../known/doubt.ts'
import { claimOf, type GroupRule } from '../../known/groups.ts'

/** An operation that changes one thing, or removes it, and what the text says about which one. */
interface Reach {
  readonly type: string
  readonly requirement: string
  /** pointer to what is stored in the request's body; undefined: the operation removes */
  readonly sent: string | undefined
  /** operation that shows what is stored, where the thing has no id of its own */
  readonly look: string | undefined
  /** it switches between few states */
  readonly switches: boolean
}

const REACHES: ReadonlyMap<string, Reach> = new Map(
  service().operations.flatMap(({ id, verb, resource, reaches: requirement }) => {
    if (requirement === undefined) return []
    const { of, sent = '' } = resourceRow(resource) ?? {}
    const [look] = of === undefined ? [] : operationsOn(resource, 'read')
    const reach = { type: of ?? resource, requirement, look, switches: verb === 'switch' }
    return [[id, { ...reach, sent: verb === 'remove' ? undefined : sent }] as const]
  }),
)

/** Looks at one thing, and after each change of another one. */
interface Story {
  readonly first: ExchangeView[]
  readonly steps: { readonly change: ExchangeView; readonly looks: ExchangeView[] }[]
}

/**
 * A request about one thing does not reach another of its kind: operation rules 1, 2, 6, 7 and 9 to 13 name the one thing
 * that they are about. A thing may read differently for many reasons. Four changes are blamed. It took on a value that
 * a run sent to the other one. It is listed under that one's name. It follows that one's status there, back and there
 * again. Or it is gone since the other was removed. (TRANSFORM-UPDATE-REPLACES and the others of `reaches` in the table of the service.)
 */
export const neighbourRule: GroupRule = {
  name: 'neighbour is unchanged',
  sees: (view) => isLook(view) || reachOf(view) !== undefined,
  begins: isLook,
  judge(view, before, oracle) {
    if (!isLook(view)) return []
    const story = storyOf(before, oracle)
    const change = story.steps.at(-1)?.change
    const reach = change && reachOf(change)
    if (!reach || view.exchange._start < change.exchange._end) return []
    const operation = view.operation?.id
    // The body may give the thing another name, which lists show.
    if (reach.sent === '' && operation === oracle.binding.resources.get(reach.type)?.list) {
      return judgeNames(story.first, change, reach, view, oracle)
    }
    const id = subjectOf(view, reach, oracle)
    if (operation !== lookOf(reach, oracle.binding) || id === undefined) return []
    if (reach.switches) return judgeSwitches(story, ofAnother(change, reach), reach.requirement, view)
    const last = story.first.findLast((one) => one.operation === view.operation && subjectOf(one, reach, oracle) === id)
    const record = last?.accepted ? recordIn(last) : undefined
    if (!last || !record) return []
    const claim = claimOf(reach.requirement, [last, change, view], ofAnother(change, reach))
    const judge = reach.sent === undefined ? judgeThere : judgeValues
    return judge(claim, { id, record }, change, view, oracle)
  },
}

/** A thing as it was read before another one was changed. */
interface Neighbour {
  readonly id: string
  readonly record: Readonly<Record<string, unknown>>
}

function isLook({ intent, operation }: ExchangeView): boolean {
  return intent?.probe === probes.beside && reachOf({ operation }) === undefined
}

function reachOf({ operation }: Pick<ExchangeView, 'operation'>): Reach | undefined {
  return REACHES.get(operation?.id ?? '')
}

/** Which thing a request is about. */
function subjectOf(view: ExchangeView, reach: Reach, { binding }: Oracle): string | undefined {
  return reach.look === undefined ? idIn(view, binding, reach.type) : pipelineOfState(view)
}

/** The operation that reads one of the things. */
function lookOf({ look, type }: Reach, { resources }: Binding): string | undefined {
  return look ?? resources.get(type)?.read
}

function ofAnother(change: ExchangeView, { type }: Reach): Partial<Claim> {
  return { operation: change.operation?.id ?? '', edge: `another ${inWords(type)}` }
}

/** What happened since it was known last what was done to which thing. */
function storyOf(before: readonly ExchangeView[], oracle: Oracle): Story {
  let story: Story = { first: [], steps: [] }
  for (const one of before) {
    const reach = reachOf(one)
    if (!reach) {
      const looks = story.steps.at(-1)?.looks ?? story.first
      looks.push(one)
    } else if (story.first.length > 0 && !(leftAlone(one) && reach.sent !== undefined)) {
      if (isOfAnother(one, story.first, reach, oracle)) story.steps.push({ change: one, looks: [] })
      else story = { first: [], steps: [] }
    }
  }
  return story
}

/**
 * Whether a change was surely one of another thing. A refused request has removed nothing, and so no neighbour either.
 */
function isOfAnother(view: ExchangeView, looks: readonly ExchangeView[], reach: Reach, oracle: Oracle): boolean {
  const id = subjectOf(view, reach, oracle)
  const isKnown = (view.accepted || leftAlone(view)) && view.intent?.kind !== 'observe' && view.violations.length === 0
  if (!isKnown || id === undefined || looks.some((look) => subjectOf(look, reach, oracle) === id)) return false
  return reach.sent === undefined || at(jsonOf(view.request), reach.sent) !== undefined
}

/** Only what the other one was sent is compared, where it differs from what the neighbour was read with. */
function judgeValues(
  claim: Claim,
  { record: before }: Neighbour,
  change: ExchangeView,
  view: ExchangeView,
  oracle: Oracle,
): Judgement[] {
  const { type = '', sent = '' } = reachOf(change) ?? {}
  const record = view.accepted ? recordIn(view) : undefined
  const part = at(jsonOf(change.request), sent)
  if (!record || !isRecord(part)) return []
  const comparable = Object.entries(part).filter(
    ([name, value]) => isWord(value) && isWord(before[name]) && !resembles(before[name], value),
  )
  if (comparable.length === 0) return []
  const taken = comparable.find(([name, value]) => isWord(record[name]) && resembles(record[name], value))
  if (!taken) return isSettled(view, change.exchange._end, oracle) ? [held(claim)] : []
  const [name, value] = taken
  return [
    broken(claim, {
      pointer: `/${name}`,
      message: `a request about one ${inWords(type)} has changed another: its ${name} is what was sent to the first`,
      expected: shown(before[name]),
      actual: shown(value),
    }),
  ]
}

/** A text or a number: of what has few values, such as a switch, two things may agree for reasons of their own. */
function isWord(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || typeof value === 'number'
}

function judgeThere(
  claim: Claim,
  { id, record }: Neighbour,
  change: ExchangeView,
  view: ExchangeView,
  oracle: Oracle,
): Judgement[] {
  const { type = '' } = reachOf(change) ?? {}
  const key = oracle.binding.resources.get(type)?.key ?? 'id'
  // Only what a read has shown under its own id was there.
  if (String(record[key] ?? '').toLowerCase() !== id.toLowerCase()) return []
  const gone = view.status === 404 || view.status === 410
  const there = view.accepted ? showsThing(view, id, key) : gone ? false : undefined
  if (there === undefined) return []
  const fault = {
    message: `the removal of one ${inWords(type)} has removed another`,
    expected: `the ${inWords(type)} ${id}, read as before`,
    actual: `status ${view.status}`,
  }
  return [decide(claim, there ? undefined : fault, doubtOf(view, change.exchange._end, oracle))]
}

/** None that was listed under another name has the name, which nobody but the run gives, that was sent to the first. */
function judgeNames(
  looks: readonly ExchangeView[],
  change: ExchangeView,
  reach: Reach,
  view: ExchangeView,
  oracle: Oracle,
): Judgement[] {
  const { key = 'id', label = '' } = oracle.binding.resources.get(reach.type) ?? {}
  const namesIn = (one: ExchangeView): [string, unknown][] =>
    (one.accepted ? (listIn(one) ?? []) : []).map((element) => [String(element[key]), element[label]])
  const before = new Map(looks.filter((one) => one.operation === view.operation).flatMap(namesIn))
  const [id, name] = [subjectOf(change, reach, oracle), at(jsonOf(change.request), `/${label}`)]
  const reached = namesIn(view).find(([other, now]) => {
    return other !== id && now === name && before.has(other) && before.get(other) !== now
  })
  if (!reached || typeof name !== 'string' || name === '') return []
  return [
    broken(claimOf(reach.requirement, [change, view], ofAnother(change, reach)), {
      message: `an update of one ${inWords(reach.type)} has given its name to another`,
      expected: `${shown(before.get(reached[0]))}, as it was listed before`,
      actual: shown(name),
    }),
  ]
}

/**
 * The state of a thing has many reasons, so that one change says nothing. If there are several reads after one, the
 * last counts.
 */
function judgeSwitches(
  { first, steps }: Story,
  about: Partial<Claim>,
  requirement: string,
  view: ExchangeView,
): Judgement[] {
  const isSame = (one: ExchangeView): boolean =>
    one.params.pipeline_id === view.params.pipeline_id && statusIn(one) !== undefined
  if (!first.some(isSame)) return []
  const looked = steps.map(({ change, looks }, index) => {
    const look = [...looks, ...(index === steps.length - 1 ? [view] : [])].findLast(isSame)
    return look && { change, look, sent: JSON.stringify(jsonOf(change.request)), value: statusIn(look) }
  })
  const three = looked.filter((one) => one !== undefined).slice(-3)
  const [one, other, again] = three
  if (!isSame(view) || !one || !other || !again || one.sent !== again.sent || one.sent === other.sent) return []
  const views = three.flatMap(({ change, look }) => [change, look])
  const claim = claimOf(requirement, views, about)
  const follows = isDeepStrictEqual(one.value, again.value) && !isDeepStrictEqual(one.value, other.value)
  if (!follows) return [held(claim)]
  return [
    broken(claim, {
      message: 'a switch of the processing status of one pipeline switches another',
      expected: `a status that does not follow ${one.sent}`,
      actual: shown(three.map(({ value }) => value)),
    }),
  ]
}

function statusIn(view: ExchangeView): unknown {
  const pointer = view.operation?.answer.processing_status
  return pointer === undefined || !view.accepted ? undefined : at(jsonOf(view.response), pointer)
}
