import fc from 'fast-check'
import { isRecord } from '../../rules/core/request-rules.ts'
import { specifiedOperations } from '../../schemas/operations.ts'
import { operationRow } from '../../schemas/service.ts'
import type { CaseContext } from '../case.ts'
import { draw } from '../generate/drawing.ts'
import { specificationSet } from '../generate/fields.ts'
import { goodOf } from '../generate/values/good.ts'
import { membersOf, propertiesOf, rootNode } from '../generate/values/nodes.ts'
import { LETTERS_BEYOND_ASCII } from '../generate/values/text-shape.ts'
import { type Model, pick, type Thing } from './model.ts'

type Values = Readonly<Record<string, unknown>>

/** What the body of a request is made of. */
export interface BodyOf {
  readonly operation: string
  readonly label: string
  /** the ids that it may name, by placeholder */
  readonly params: Readonly<Record<string, string>>
  /** the pipeline that it is about, if any */
  readonly pipeline: Thing | undefined
  /** the thing that is changed; undefined: it makes one */
  readonly own: Thing | undefined
  readonly seed: number
}

/** Most of the things that a list in a body names. */
const MOST_NAMED = 20
/** Names of state variables that a walk writes. */
const VARIABLES = 24

/** The good body that the binding gives, or else the text. */
export function templateOf({ binding }: CaseContext, operation: string, seed: number): unknown {
  const switches = binding.answers.get('GAP-PROCESSING-STATUS-BODY')?.value
  if (operation === 'update-processing-status' && isRecord(switches)) {
    return seed % 2 === 0 ? switches.enabled : switches.disabled
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
  const { operation, label, seed, pipeline } = of
  const ref = specifiedOperations().find(({ id }) => id === operation)?.request?.schema
  const fields = ref === undefined ? {} : drawnFields(ref, seed)
  const nodes = upstream(model, of)
  const transforms = nodes.filter(({ made }) => made.type === 'transform')
  const drawn = (name: string, value: unknown): unknown => {
    if (name === 'inputs') return ids(nodes, seed >>> 1, 1)
    if (name === 'pipeline_transform_ids') return ids(transforms, seed >>> 1, 1)
    if (name === 'state') return variables(seed)
    if (name === 'deploy_type') return deployOf(pipeline, of, value)
    if (value === label) return ref === undefined ? `${label}${pick(ENDINGS, seed)}` : titleOf(label, seed)
    if (value === context.email(label)) return context.email(`${label}${pick(TAGS, seed)}`)
    if (name === 'description' && ref !== undefined) return textFrom(seed, 1 + (seed % 600))
    return typeof value === typeof fields[name] ? fields[name] : value
  }
  return Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, drawn(name, value)]))
}

/** A good value of each field that is a boolean, a whole number or one of a list. */
function drawnFields(ref: string, seed: number): Values {
  const set = specificationSet()
  return Object.fromEntries(
    propertiesOf(set, rootNode(set, ref)).flatMap(({ name, node }) => {
      const { type } = node.schema
      const members = membersOf(node) ?? (type === 'boolean' ? [true, false] : undefined)
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
  const value = fc.oneof(fc.string({ maxLength: 40 }), fc.integer(), fc.boolean(), fc.constant({ nested: [1, 'two'] }))
  const [drawn = []] = draw(fc.array(value, { minLength: 1, maxLength: 20 }), seed, 1)
  return Object.fromEntries(drawn.map((one, index) => [`assay_${(seed + index) % VARIABLES}`, one]))
}

/** How long names may be of what only a binding describes is open. */
const ENDINGS = ['', '-x', '-X', ' in words', ' Straße', ' 漢字', ` ${LETTERS_BEYOND_ASCII.join('')}`]
const TAGS = ['', '+tag', '-Capital', '.dot']

const LONGEST_TITLE = 512

/** A title of a length along the whole range. */
function titleOf(label: string, seed: number): string {
  const rest = seed % (LONGEST_TITLE - label.length)
  return rest < 2 ? label : `${label} ${textFrom(seed, rest - 1)}`
}

const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.,:;()', ...LETTERS_BEYOND_ASCII]

function textFrom(seed: number, length: number): string {
  return draw(fc.string({ unit: fc.constantFrom(...LETTERS), minLength: length, maxLength: length }), seed, 1)[0] ?? 'a'
}
