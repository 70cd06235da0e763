import { listIn, recordIn } from '../../rules/core/reads.ts'
import { isRecord } from '../../rules/core/request-rules.ts'
import type { ExchangeView } from '../../rules/core/view.ts'
import { offered, type TargetOperation } from '../../schemas/binding.ts'
import { table } from '../../schemas/load.ts'
import type { Operation } from '../../schemas/operations.ts'
import { at } from '../../schemas/pointer.ts'
import { placeholders } from '../../schemas/template.ts'
import type { CaseContext, Params } from '../case.ts'

/** A good request, on resources that exist. */
export interface ReadyRequest {
  readonly operation: string
  readonly params: Params
  readonly query: Params
  readonly body: unknown
  readonly label: string
}

/** Another good request of an operation, sent where the ones before it were refused. */
export interface OtherRequest {
  /** how it differs from the first one, in words */
  readonly what: string
  /** the text alone says that it is good, or the target itself has shown what it sends: it rests on no gap */
  readonly sure: boolean
  /** it shows that the operation works, but its effect is not known well enough for a control */
  readonly trial?: true
  /** The first request, changed. Undefined, or NotRun: it cannot be made of this target. */
  make(request: ReadyRequest): Promise<ReadyRequest | undefined>
}

/** Whether another good request may be taken where this one was not: no content of it helps against other refusals. */
export function canBeMended({ conclusive, failing, accepted, status }: ExchangeView): boolean {
  return !accepted && (conclusive || failing !== undefined) && status >= 400 && ![401, 403, 405, 501].includes(status)
}

type Body = Readonly<Record<string, unknown>>
/** Fields that take the place of others, or what makes another body of the first one. */
type Change = Body | ((body: Body, request: ReadyRequest) => Body | undefined | Promise<Body | undefined>)

/** Whether the first request of an operation rests on no gap. A body of the binding may rest on one. */
export function isSure({ sure }: Operation, { body }: TargetOperation): boolean {
  return sure === true && body === undefined
}

/**
 * Good requests of an operation beside its first one, the likelier first. Their values are away from every edge, have
 * other fields left out, or are what the target itself shows.
 */
export function otherRequests(
  context: CaseContext,
  operation: Operation,
  bound: TargetOperation,
): readonly OtherRequest[] {
  const own = OTHERS[operation.id]?.(context) ?? []
  // A new resource is made for each try.
  if (operation.deletes !== undefined) return [same('another one', true), same('another one', true)]
  return bound.body === undefined ? own : [...own, ...textAlone(context, operation)]
}

const OTHERS: Readonly<Record<string, (context: CaseContext) => readonly OtherRequest[]>> = table({
  'list-usage-by-tag': () => [period('one day', 86_400), period('thirty days', 30 * 86_400)],
  'create-preset-alert': (context) => [listedAlert(context), ...channels()],
  'update-preset-alert': (context) => [shown(context, 'preset-alert', 'channels'), ...channels()],
  'update-transform': (context) => nodeUpdates(context, 'transform'),
  'update-source': (context) => nodeUpdates(context, 'source'),
  'create-group-from-pipeline': (context) => [
    withNew('two transforms', context, 'transform', (id, body) => {
      const first = at(body, '/pipeline_transform_ids/0')
      return first === id ? undefined : { pipeline_transform_ids: [first, id] }
    }),
    changed('another title', true, { title: 'assay' }),
    changed('deploy_type local', true, { deploy_type: 'local' }),
  ],
  'start-tap': (context) => {
    const sure = context.binding.answers.has('GAP-TAP-COMPONENT')
    return [
      changed('limit 10, timeout 5', sure, { limit: 10, timeout: 5 }),
      changed('limit 50, timeout 10', sure, { limit: 50, timeout: 10 }),
      { what: 'another component', sure: false, make: (request) => otherComponent(context, request) },
    ]
  },
  'add-group-to-pipeline': (context) => [
    fedFromTransform(context),
    changed('fed from nothing', true, { inputs: [] }),
    another(context, 'group', 'another group'),
    changed('deploy_type local', true, { deploy_type: 'local' }),
  ],
  'switch-group-revision': (context) => [
    another(context, 'group-revision', 'another revision'),
    changed('fed from nothing', true, { inputs: [] }),
    fedFromTransform(context),
  ],
  'update-gateway-route': () => [
    changed('title alone', true, (_body, { label }) => ({ title: label })),
    changed('description alone', true, () => ({ description: 'made by a conformance run' })),
    changed('legacy_routing alone', true, () => ({ legacy_routing: true })),
  ],
  'add-signing-key': () =>
    KEY_LENGTHS.map((length) =>
      changed(`${length} hexadecimal digits`, false, (_body, { label }) => ({
        key: Buffer.from(label).toString('hex').padStart(length, '0').slice(-length),
      })),
    ),
  'update-state-variables': (context) => [
    shown(context, 'state', 'state'),
    ...[{ assay: 'text' }, { assay: 1 }, { assay: { nested: true } }, {}].map((state) =>
      changed(`state ${JSON.stringify(state)}`, false, { state }),
    ),
  ],
  'update-processing-status': (context) => [
    same('the other side', false),
    { what: 'after it was published', sure: false, make: published(context) },
    { ...changed('an empty object', false, () => ({})), trial: true },
  ],
})

const KEY_LENGTHS = [32, 64, 16, 24, 40, 44, 48, 128, 20, 12, 8]

function changed(what: string, sure: boolean, change: Change): OtherRequest {
  return {
    what,
    sure,
    async make(request) {
      const before = isRecord(request.body) ? request.body : {}
      const body = typeof change === 'function' ? await change(before, request) : { ...before, ...change }
      return body && { ...request, body }
    },
  }
}

/** The same request once more. */
function same(what: string, sure: boolean): OtherRequest {
  return { what, sure, make: async (request) => request }
}

/** The fields that the text names, and none of the binding's own. */
function textAlone(context: CaseContext, { sample: template, sure }: Operation): OtherRequest[] {
  if (template === undefined) return []
  return [
    changed('only what the text names', sure === true, (body, { params, label }) => {
      const values: Body = { ...params, label, generation_id: body.generation_id ?? 1 }
      if ([...placeholders(template)].some((name) => values[name] === undefined)) return undefined
      return context.fill(template, values) as Body
    }),
  ]
}

function period(what: string, seconds: number): OtherRequest {
  return {
    what,
    sure: true,
    async make(request) {
      const { to = '' } = request.query
      return { ...request, query: { from: String(Number(to) - seconds), to } }
    },
  }
}

function nodeUpdates(context: CaseContext, type: string): OtherRequest[] {
  const next = ({ generation_id: told, ...body }: Body): Body => ({
    ...body,
    generation_id: typeof told === 'number' ? told + 1 : 1,
  })
  const echo = shown(context, type, 'user_config')
  return [
    echo,
    {
      what: `${echo.what}, with the next generation`,
      sure: false,
      async make(request) {
        const made = await echo.make(request)
        return made && { ...made, body: next(made.body as Body) }
      },
    },
    changed('deploy_type local', false, { deploy_type: 'local' }),
  ]
}

/** Sends back what a read shows. `field`: its content is a gap, so the read has to show it, and not empty. */
function shown(context: CaseContext, type: string, field: string): OtherRequest {
  let seen: Promise<Body | undefined> | undefined
  return {
    what: 'what a read shows, sent back',
    sure: true,
    async make(request) {
      seen ??= type === 'state' ? variablesOf(context, request) : recordOf(context, type, request)
      const record = await seen
      const body = isRecord(request.body) ? request.body : {}
      if (!isFull(record?.[field])) return undefined
      const names = [...new Set([...Object.keys(body), field])].filter((name) => isTold(record?.[name], name))
      return { ...request, body: { ...body, ...Object.fromEntries(names.map((name) => [name, record?.[name]])) } }
    },
  }
}

/** What `generation_id` has to be after a read is a gap: the one that the first request has stays. */
function isTold(value: unknown, name: string): boolean {
  return value !== undefined && value !== null && name !== 'generation_id'
}

function isFull(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

/** What a read is answered with; undefined: the target does not offer it. */
async function lookUp(
  context: CaseContext,
  id: string | undefined,
  params?: Params,
): Promise<ExchangeView | undefined> {
  const operation = offered(context.binding, id)?.id
  if (operation === undefined) return undefined
  return (await context.send({ operation, ...(params && { params }), intent: { kind: 'setup' } })).view
}

async function recordOf(context: CaseContext, type: string, { params }: ReadyRequest): Promise<Body | undefined> {
  const { id = '', key = 'id', read, list } = context.binding.resources.get(type) ?? {}
  const shown = await lookUp(context, read, params)
  const record = shown?.accepted ? recordIn(shown) : undefined
  if (record) return record
  const all = await lookUp(context, list, params)
  return all?.accepted ? listIn(all)?.find((element) => String(element[key]) === params[id]) : undefined
}

async function variablesOf(context: CaseContext, { params }: ReadyRequest): Promise<Body | undefined> {
  const view = await lookUp(context, 'get-state-variables', params)
  return view && { state: recordIn(view) }
}

/** An alert that is there already, under another name. */
function listedAlert(context: CaseContext): OtherRequest {
  let seen: Promise<unknown> | undefined
  const look = async (): Promise<unknown> => {
    const view = await lookUp(context, context.binding.resources.get('preset-alert')?.list)
    return view && listIn(view)?.find((element) => isFull(element.channels))?.channels
  }
  return changed('the channels of a listed alert', true, async (body) => {
    seen ??= look()
    const found = await seen
    return found === undefined ? undefined : { ...body, channels: found }
  })
}

/** Alerts with as little as can be: which fields are required, and which values they take, is a gap. */
function channels(): OtherRequest[] {
  const alerts: readonly (readonly [string, readonly Body[]])[] = [
    ['one channel with addresses alone', [{ integration: 'email', emails: ['assay@example.com'] }]],
    ['one channel with a URL alone', [{ integration: 'webhook', url: 'https://hooks.example.com/assay' }]],
    ['no channels', []],
  ]
  return alerts.map(([what, list]) => changed(what, false, ({ name }) => ({ name, channels: list })))
}

/** The first request with a new thing in its body, made once; `change`: of the body, undefined where it would be the same. */
function withNew(
  what: string,
  context: CaseContext,
  type: string,
  change: (id: string, body: Body) => Body | undefined,
): OtherRequest {
  let made: string | undefined
  return changed(what, true, async (body, { params }) => {
    const { [context.binding.resources.get(type)?.id ?? '']: _own, ...parents } = params
    made ??= (await context.make(type, parents)).id
    const fields = change(made, body)
    return fields && { ...body, ...fields }
  })
}

function fedFromTransform(context: CaseContext): OtherRequest {
  return withNew('fed from a transform', context, 'transform', (id) => ({ inputs: [id] }))
}

/** The same with a new resource in place of the one that the body names. */
function another(context: CaseContext, type: string, what: string): OtherRequest {
  return withNew(what, context, type, (id) => ({ [context.binding.resources.get(type)?.id ?? '']: id }))
}

async function otherComponent(context: CaseContext, request: ReadyRequest): Promise<ReadyRequest | undefined> {
  const known = request.params.pipeline_transform_id
  const made = known === undefined ? await context.make('transform', request.params) : undefined
  const component = made?.id ?? request.params.pipeline_source_id
  if (component === undefined) return undefined
  return { ...request, params: { ...request.params, ...made?.params, component_id: component } }
}

function published(context: CaseContext): OtherRequest['make'] {
  let done: Promise<ExchangeView | undefined> | undefined
  return async (request) => {
    done ??= lookUp(context, 'publish-pipeline', request.params)
    return (await done) && request
  }
}
