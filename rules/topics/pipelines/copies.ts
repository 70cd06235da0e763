import type { Binding } from '../../../schemas/binding.ts'
import { setBounded } from '../../../schemas/bounded.ts'
import { textsIn } from '../../../schemas/json.ts'
import { at } from '../../../schemas/pointer.ts'
import { broken, type Claim, decide, held, type Judgement, unclear } from '../../core/judgement.ts'
import { idIn, madeIn, readerOf, recordIn, renamed } from '../../core/reads.ts'
import { fieldBindings, isRecord } from '../../core/request-rules.ts'
import { canPair, isNothing, mayBeHidden, resembles } from '../../core/resembles.ts'
import { claimOf, type HistoryRule, type Oracle, type Rule } from '../../core/rule.ts'
import { type ExchangeView, jsonOf, leftAlone, toldAs } from '../../core/view.ts'
import { shown } from '../../core/words.ts'
import { doubtOf } from '../../known/doubt.ts'
import type { Kind } from '../../known/kinds.ts'
import { looking, type Things } from '../../known/things.ts'

/** What a transform or a copy of one shows of itself that a copy has to share. */
interface Content {
  /** a kind that the specification knows; undefined where none is shown */
  readonly kind: string | undefined
  readonly user_config: Fields | undefined
}

type Fields = Readonly<Record<string, unknown>>

/** A transform as a read has shown it. */
interface Original extends Content {
  readonly id: string
  readonly exchange: string
}

/** Texts that an update gave a transform, and that nobody had used before: by the field they stand in. */
interface Change {
  readonly exchange: string
  /** when it was sent */
  readonly at: number
  readonly texts: Fields
  readonly config: Fields
}

interface Group {
  readonly exchange: string
  readonly at: number
  readonly ids: readonly string[]
  /** the transforms that were listed, where reads have shown all of them; undefined once the group was compared with them */
  listed: readonly Original[] | undefined
  /** transforms of the same case that were not listed */
  readonly others: readonly Original[]
}

interface Known {
  readonly originals: Map<string, Original>
  /** transform -> when its newest change was answered */
  readonly changed: Map<string, number>
  /** transform -> its newest change, where that was accepted */
  readonly changes: Map<string, Change>
  /** texts that requests about transforms have sent */
  readonly texts: Set<string>
  readonly groups: Map<string, Group>
}

const COPYING = 'create-group-from-pipeline'

function operations({ resources }: Binding): readonly (string | undefined)[] {
  const { create, read, delete: remove } = resources.get('transform') ?? {}
  const { create: revision } = resources.get('group-revision') ?? {}
  return [COPYING, 'update-transform', create, read, remove, resources.get('group')?.read, revision]
}

/** Things of which so many are kept, the newest. */
const MOST = 1_000
/** Shorter ones may be anybody's. */
const SHORTEST = 8

/**
 * GROUP-CREATE-COPIES: a new group holds copies of the listed transforms (operation rule 3). It keeps a state of its
 * own. It asks about several transforms and a group at once, as they were when the group was made.
 *
 * Where the group shows kinds or configurations, those of the listed ones are among them, in any order. They are compared
 * with what reads of the originals have shown, so that it does not matter how a target keeps them. Fields that copies
 * do not show say nothing, nor do their titles, which may mark them as copies. How many there are is another rule's
 * matter.
 *
 * Copies are not changed with the originals. Seen in new texts that an update gave an original after it was copied:
 * none of them has a way into a copy. A single text beside the configuration may tell what a copy was made of, so that
 * title and description count only together.
 */
export const copiedContentRule: HistoryRule<Known> = {
  name: 'copied content',
  bound: 10_000,
  intended: true,
  operations,
  key: (view) => (view.intent ? 'all' : undefined),
  init: () => ({ originals: new Map(), changed: new Map(), changes: new Map(), texts: new Set(), groups: new Map() }),
  step(state, view, oracle) {
    const { binding } = oracle
    const id = view.operation?.id
    if (id === readerOf(binding, 'group', 'read')) return { state, judgements: judgeGroup(state, view, oracle) }
    if (id === COPYING) noteCopying(state, view)
    // The newest revision of a group may hold others.
    else if (id === binding.resources.get('group-revision')?.create)
      state.groups.delete(idIn(view, binding, 'group') ?? '')
    else if (id === readerOf(binding, 'transform', 'read')) noteRead(state, view, oracle)
    else noteSent(state, view, binding)
    return { state, judgements: [] }
  },
  end: () => [],
}

function noteRead(state: Known, view: ExchangeView, oracle: Oracle): void {
  const id = idIn(view, oracle.binding, 'transform')
  const record = view.accepted ? recordIn(view) : undefined
  if (id === undefined || !record) return
  const changedAt = state.changed.get(id)
  if (changedAt !== undefined && doubtOf(view, changedAt, oracle) !== undefined) return
  setBounded(state.originals, id, { id, exchange: view.id, ...contentOf(record, oracle) }, MOST, MOST)
}

/** Only where reads have shown each of the listed ones is it known what there should be. */
function noteCopying({ originals, groups }: Known, view: ExchangeView): void {
  const group = madeIn(view)
  const sent = at(jsonOf(view.request), '/pipeline_transform_ids')
  if (group === undefined || !Array.isArray(sent) || view.violations.length > 0) return
  const ids = sent.map(String)
  const known = view.intent?.kind === 'observe' ? [] : ids.flatMap((id) => originals.get(id) ?? [])
  const isKnown = known.length === ids.length && new Set(ids).size === ids.length
  const others = [...originals.values()].filter(({ id }) => !ids.includes(id))
  const made = { exchange: view.id, at: view.exchange._end, ids, listed: isKnown ? known : undefined, others }
  setBounded(groups, group, made, MOST, MOST)
}

/** A request may have been carried out whatever came of it: its texts are known then. */
function noteSent({ originals, changed, changes, texts }: Known, view: ExchangeView, binding: Binding): void {
  const id = idIn(view, binding, 'transform') ?? ''
  const body = jsonOf(view.request)
  if (!leftAlone(view)) {
    originals.delete(id)
    changes.delete(id)
    setBounded(changed, id, view.exchange._end, MOST, MOST)
  }
  if (view.operation?.id === 'update-transform' && view.accepted && isRecord(body)) {
    const isOwn = ([name, value]: [string, unknown]): boolean =>
      typeof value === 'string' && value.length >= SHORTEST && !texts.has(value) && !mayBeHidden(name)
    const own = (fields: unknown): Fields =>
      isRecord(fields) ? Object.fromEntries(Object.entries(fields).filter(isOwn)) : {}
    const change = { exchange: view.id, at: view.exchange._start, texts: own(body), config: own(body.user_config) }
    setBounded(changes, id, change, MOST, MOST)
  }
  for (const text of textsIn(body)) if (texts.size < MOST) texts.add(text)
}

function judgeGroup(state: Known, view: ExchangeView, oracle: Oracle): readonly Judgement[] {
  const id = idIn(view, oracle.binding, 'group') ?? ''
  const group = state.groups.get(id)
  const elements = view.accepted ? toldAs(view, 'transforms') : undefined
  if (!group || !Array.isArray(elements) || !elements.every(isRecord)) return []
  // Elements of a group may have their fields where a transform that is read by itself has them.
  const reader = oracle.binding.operations.get(readerOf(oracle.binding, 'transform', 'read') ?? '')
  const copies = elements.map((element) => renamed(element, reader))
  const content = judgeContent(state, group, copies, view, oracle)
  if (content && content.outcome !== 'inconclusive') group.listed = undefined
  const followed = state.texts.size < MOST ? judgeFollowing(state, group, copies, view, oracle) : []
  if (followed.some(({ outcome }) => outcome === 'broken')) state.groups.delete(id)
  return content ? [content, ...followed] : followed
}

function copyClaim(view: ExchangeView, exchanges: readonly string[], edge: string): Claim {
  return claimOf('GROUP-CREATE-COPIES', [view], { operation: COPYING, exchanges: [...exchanges, view.id], edge })
}

function judgeContent(
  { changed }: Known,
  { exchange, at: madeAt, listed, others }: Group,
  elements: readonly Fields[],
  view: ExchangeView,
  oracle: Oracle,
): Judgement | undefined {
  if (!listed || elements.length < listed.length || view.exchange._start < madeAt) return undefined
  const copies = elements.map((element) => contentOf(element, oracle))
  const fits = copies.map((copy) => fitting(copy, listed, others))
  // A target may put nodes of its own beside them, but no copies of others.
  const isOther = (copy: Content, index: number): boolean =>
    fits[index]?.length === 0 && others.some((one) => hasConfigOf(copy, one))
  const isRight =
    !copies.some(isOther) &&
    canPair(listed.map((one) => fits.flatMap((originals, index) => (originals.includes(one) ? index : []))))
  const isTold = listed.every((one) => copies.some((copy) => hasConfigOf(copy, one) || (copy.kind ?? '') === one.kind))
  if (isRight && !isTold) return undefined
  const originals = new Set(listed.map((one) => one.exchange))
  const claim = copyClaim(view, [...originals, exchange], `the content of ${copies.length} transforms`)
  if (isRight) return held(claim)
  // Copies may be made in the background.
  const isChanging = listed.some(({ id }) => {
    const after = (changed.get(id) ?? 0) - madeAt
    return after > 0 && after < oracle.settleMs
  })
  if (isChanging) return unclear(claim, 'not judged: a listed transform was changed within the settle time')
  const fault = {
    message: 'the new group does not hold copies of the listed transforms',
    expected: `in any order ${shown(listed.map(({ kind, user_config }) => ({ kind, user_config })))}`,
    actual: shown(copies),
  }
  return decide(claim, fault, doubtOf(view, madeAt, oracle))
}

function judgeFollowing(
  { changes }: Known,
  { exchange, at: madeAt, ids }: Group,
  copies: readonly Fields[],
  view: ExchangeView,
  oracle: Oracle,
): Judgement[] {
  return ids.flatMap((id): Judgement[] => {
    const change = changes.get(id)
    // Copies may be made in the background.
    if (!change || change.at < madeAt || change.at - madeAt < oracle.settleMs) return []
    const { texts, config } = change
    const isNamed = texts.title !== undefined && texts.description !== undefined
    if (view.exchange._start < change.at || !(isNamed || Object.keys(config).length > 0)) return []
    const claim = copyClaim(view, [exchange, change.exchange], 'an original that was changed')
    const follows = ({ title, description, user_config: own }: Fields): boolean =>
      (isRecord(own) && Object.keys(config).some((name) => own[name] === config[name])) ||
      (isNamed && title === texts.title && description === texts.description)
    const follower = copies.find(follows)
    if (!follower) {
      const isShown = copies.every((copy) => typeof copy.title === 'string' && typeof copy.description === 'string')
      return isNamed && isShown ? [held(claim)] : []
    }
    const message = 'a copy in the new group changes with its original'
    const expected = 'a copy, as the transform was when the group was made'
    const { title, description, user_config } = follower
    return [broken(claim, { message, expected, actual: shown({ title, description, user_config }) })]
  })
}

/**
 * The listed ones that something in the group can be a copy of. A node with the configuration of another one is a copy
 * of that.
 */
function fitting(copy: Content, listed: readonly Original[], others: readonly Original[]): readonly Original[] {
  const alike = [...listed, ...others].filter((original) => hasConfigOf(copy, original))
  if (alike.length === 0) return listed.filter((original) => !differs(copy, original))
  return listed.filter((original) => alike.includes(original) && !hasOtherKind(copy, original))
}

/** A word that is no kind of a transform says what else an element of a group is, and nothing about its kind. */
function contentOf(record: Fields, { binding, validator }: Oracle): Content {
  const { kinds, words } = fieldBindings(binding)
  const { field = '', schema = '' } = kinds.get('update-transform') ?? {}
  const word = record[field]
  const kind = typeof word === 'string' ? (words.get(word) ?? word) : undefined
  const known = kind !== undefined && schema !== '' && validator.violations(schema, kind).length === 0
  const { user_config } = record
  return { kind: known ? kind : undefined, user_config: isRecord(user_config) ? user_config : undefined }
}

/** Whether a copy shows the configuration that the original shows. */
function hasConfigOf({ user_config: own }: Content, original: Content): boolean {
  return resembles(own, original.user_config) && comparableFields(original).some((name) => own?.[name] !== undefined)
}

/** Whether a copy shows something that the original is not: another kind, no configuration at all, another value. */
function differs(copy: Content, original: Content): boolean {
  if (hasOtherKind(copy, original)) return true
  const { user_config: own } = copy
  const comparable = comparableFields(original)
  if (!own || comparable.length === 0) return false
  if (Object.keys(own).length === 0) return true
  return comparable.some((name) => {
    const value = own[name]
    return value !== undefined && value !== null && !resembles(value, original.user_config?.[name])
  })
}

/** Whether both show a kind, and not the same. */
function hasOtherKind(copy: Content, original: Content): boolean {
  return copy.kind !== undefined && original.kind !== undefined && copy.kind !== original.kind
}

/** The fields of a configuration that have a value which a copy has no reason to hide. */
function comparableFields({ user_config = {} }: Content): readonly string[] {
  return Object.entries(user_config).flatMap(([name, value]) => {
    const empty = isNothing(value) || (isRecord(value) && Object.keys(value).length === 0)
    return empty || mayBeHidden(name) ? [] : [name]
  })
}

/** GROUP-CREATE-KEEPS: transforms that were copied into a group stay in their pipeline (operation rule 3: it copies). */
export function copiedTransformsStay(transform: Kind): Rule<Things> {
  return looking(transform, ({ id = '', there }, view, { copied }, oracle) => {
    const copy = copied.get(id)
    const stays = view.accepted && there !== false
    if (!copy || view.exchange._start < copy.at || (!stays && there === undefined)) return []
    const exchanges = [copy.exchange, view.id]
    const claim = claimOf('GROUP-CREATE-KEEPS', [view], { operation: COPYING, exchanges })
    const message = 'a transform that was copied into a group is not in its pipeline any more'
    const gone = { message, expected: 'the transform, read as before', actual: `status ${view.status}` }
    return [decide(claim, stays ? undefined : gone, doubtOf(view, copy.at, oracle))]
  })
}

/**
 * GROUP-CREATE-COPIES: a group made from a pipeline holds at least as many transforms as were listed (operation rule 3). Whether one
 * that is listed twice is copied twice is not stated, and a new revision may hold others.
 */
export function groupHoldsCopies(group: Kind): Rule<Things> {
  return looking(group, ({ id = '' }, view, known, oracle) => {
    const made = known.made.get(id)
    const transforms = toldAs(view, 'transforms')
    if (made?.holds === undefined || !view.accepted || !Array.isArray(transforms)) return []
    const claim = copyClaim(view, [made.exchange], `${made.holds} transforms`)
    const message = 'the new group does not hold the listed transforms'
    const others = { message, expected: `at least ${made.holds} transforms`, actual: `${transforms.length} transforms` }
    return [decide(claim, transforms.length >= made.holds ? undefined : others, doubtOf(view, made.at, oracle))]
  })
}
