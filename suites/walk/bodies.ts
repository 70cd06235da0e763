import fc from 'fast-check'
import { isRecord } from '../../rules/core/request-rules.ts'
import { specifiedOperations } from '../../schemas/operations.ts'
import { operationRow } from '../../schemas/service.ts'
import type { CaseContext, Params } from '../case.ts'
import { draw } from '../generate/drawing.ts'
import { specificationSet } from '../generate/fields.ts'
import { goodOf } from '../generate/values/good.ts'
import { propertiesOf, rootNode } from '../generate/values/nodes.ts'
import { HARD, longText } from '../generate/values/text.ts'
import { LETTERS_BEYOND_ASCII } from '../generate/values/text-shape.ts'
import { otherConfigs } from '../request/other-configs.ts'
import { type Model, pick, type Thing } from './model.ts'

type Values = Readonly<Record<string, unknown>>

/** What the body of a request is made of. */
export interface BodyOf {
  readonly operation: string
  readonly label: string
  /** the ids that it may name, by placeholder */
  readonly params: Params
  /** the pipeline that it is about, if any */
  readonly pipeline: Thing | undefined
  /** the thing that is changed; undefined: it makes one */
  readonly own: Thing | undefined
  readonly seed: number
}

/** Most of the things that a list in a body names. */
const MOST_NAMED = 20
/** Updates that may send some of their fields alone. */
const PARTIAL = new Set(['update-gateway-route', 'update-exclusion'])
/** Good texts that are often stored otherwise than they were sent; undefined: any one. */
const DESCRIPTIONS = [undefined, HARD, longText(1_500), undefined]
const MOST_CHANNELS = 3
/** Names of state variables that a walk writes, and values that are often taken for none. */
const VARIABLES = 60
const FALSY = [0, '', false]

/** The good body that the binding gives, or else the text. */
export function templateOf({ binding }: CaseContext, operation: string, seed: number): unknown {
  const switches = binding.answers.get('GAP-PROCESSING-STATUS-BODY')?.value
  if (operation === 'update-processing-status' && isRecord(switches)) {
    return (seed & 4) === 0 ? switches.enabled : switches.disabled
  }
  const preset = operation.endsWith('-preset-alert') ? binding.answers.get('GAP-PRESET-BODY')?.value : undefined
  return binding.operations.get(operation)?.body ?? operationRow(operation)?.sample ?? preset
}

/** The body as it is given. */
export function plainBody(context: CaseContext, template: unknown, { label, params, own }: BodyOf): unknown {
  if (template === undefined) return undefined
  const email = context.email(label)
  return context.fill(template, { ...params, label, email, generation_id: own?.generation ?? 1 })
}

/**
 * The same body with every value drawn anew that may be another one. Texts have lengths along the whole range, lists have
 * many elements. Both booleans and each word of a list come.
 */
export function drawnBody(context: CaseContext, model: Model, of: BodyOf, plain: unknown): unknown {
  if (!isRecord(plain)) return plain
  const { operation, label, seed, pipeline, own } = of
  const ref = specifiedOperations().find(({ id }) => id === operation)?.request?.schema
  const fields = ref === undefined ? {} : drawnFields(ref, seed)
  const nodes = upstream(model, of)
  const transforms = nodes.filter(({ made }) => made.type === 'transform')
  const drawn = (name: string, value: unknown): unknown => {
    if (name === 'inputs') return own && seed % 3 === 0 ? [] : ids(nodes, seed >>> 1, 1)
    if (name === 'pipeline_transform_ids') return ids(transforms, seed >>> 1, 1)
    if (name === 'state') return variables(seed)
    if (name === 'channels' && Array.isArray(value)) return channels(value, seed)
    if (name === 'deploy_type') return deployOf(pipeline, of, value)
    if (value === label) return ref === undefined ? `${label}${pick(ENDINGS, seed)}` : titleOf(label, seed)
    if (value === context.email(label)) return context.email(`${label}${pick(TAGS, model.things.length)}`)
    if (name === 'description' && ref !== undefined)
      return pick(DESCRIPTIONS, seed >>> 1) ?? textFrom(seed, 1 + (seed % 600))
    return typeof value === typeof fields[name] ? fields[name] : value
  }
  const sent = Object.entries(plain).map(([name, value]) => [name, drawn(name, value)] as const)
  // One of two things has one configuration after the other, and the other one its usual one.
  const config = own && (seed & 1) !== 0 ? pick(otherConfigs(context, plain, own.made.type), seed >>> 1) : undefined
  const all = [...sent, ...Object.entries(config ?? {})]
  // Each field is left out in turn.
  const isLeftOut = PARTIAL.has(operation) && own !== undefined && all.length > 1
  const turn = isLeftOut ? (context.seed + own.history.length + model.things.indexOf(own)) % all.length : -1
  return Object.fromEntries(all.filter((_, index) => index !== turn))
}

/** A good value of each field that is a boolean, a whole number or one of a list. */
function drawnFields(ref: string, seed: number): Values {
  const set = specificationSet()
  return Object.fromEntries(
    propertiesOf(set, rootNode(set, ref)).flatMap(({ name, node }) => {
      const { type, enum: listed } = node.schema
      const members = listed ?? (type === 'boolean' ? [true, false] : undefined)
      const good = members ? fc.constantFrom(...members) : type === 'integer' ? goodOf(set, node) : undefined
      return good === undefined || name === 'generation_id' ? [] : [[name, draw(good, seed, 1)[0]] as const]
    }),
  )
}

/** A thing runs where its pipeline does; a new pipeline may run anywhere. */
function deployOf(pipeline: Thing | undefined, { operation, seed }: BodyOf, value: unknown): unknown {
  return pipeline?.deploy ?? (operation === 'create-pipeline' ? pick(['saas', 'local'], seed) : value)
}

/** What a node may be fed from: nodes of its pipeline that were there before it, so that nothing goes in circles. */
function upstream(model: Model, { pipeline, own }: BodyOf): readonly Thing[] {
  const before = own === undefined ? model.things.length : model.things.indexOf(own)
  return model.things
    .slice(0, before)
    .filter(({ removed, parent, made }) => !removed && parent === pipeline && NODES.has(made.type))
}

const NODES = new Set(['transform', 'source'])

function ids(among: readonly Thing[], seed: number, least: number): readonly string[] {
  const most = Math.min(MOST_NAMED, among.length)
  const count = Math.max(Math.min(least, most), seed % (most + 1))
  return Array.from({ length: count }, (_, index) => among[(seed + index) % among.length]?.made.id ?? '')
}

function variables(seed: number): Values {
  const hard = fc.constantFrom<unknown>(HARD, longText(300), '', 0, false, null, [], { nested: [1, 'two'] })
  const value = fc.oneof(fc.string({ maxLength: 40 }), fc.integer(), hard)
  const [drawn = []] = draw(fc.array(value, { minLength: pick([1, 5, 40], seed >>> 4) ?? 1, maxLength: 50 }), seed, 1)
  const others = drawn.map((one, index) => [`assay_${(seed + index) % VARIABLES}`, one])
  return { ...Object.fromEntries(others), assay_switched: (seed & 2) === 0 ? 'on' : pick(FALSY, seed >>> 3) }
}

/** How long names may be of what only a binding describes is open. */
const ODD_ENDING = ` Again & 'again' &amp; ${LETTERS_BEYOND_ASCII.join('')}`
const ENDINGS = [` ${longText(150)}`, ODD_ENDING, '-X', ODD_ENDING]
const TAGS = ['+Tag', '', '.Dot+Tag', '']

const LONGEST_TITLE = 512

/** The usual one with other addresses, several times. */
function channels([first]: readonly unknown[], seed: number): readonly unknown[] {
  const usual = Object.entries(isRecord(first) ? first : {})
  return Array.from({ length: 1 + (seed % MOST_CHANNELS) }, (_, index) => ({
    ...Object.fromEntries(
      usual.map(([name, value], bit) => [name, typeof value === 'boolean' ? (seed & (4 << bit)) !== 0 : value]),
    ),
    emails: Array.from({ length: 1 + index }, (_one, more) => `assay-${index}-${more}@example.com`),
  }))
}

/** A title of a length along the whole range, or one that is often stored otherwise. */
function titleOf(label: string, seed: number): string {
  if (seed % 3 === 0) return `${label} ${HARD}`
  const rest = seed % (LONGEST_TITLE - label.length)
  return rest < 2 ? label : `${label} ${textFrom(seed, rest - 1)}`
}

const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.,:;()', ...LETTERS_BEYOND_ASCII]

function textFrom(seed: number, length: number): string {
  return draw(fc.string({ unit: fc.constantFrom(...LETTERS), minLength: length, maxLength: length }), seed, 1)[0] ?? 'a'
}
