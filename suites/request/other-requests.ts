import { listIn, readerOf, recordIn } from '../../rules/core/reads.ts'
import { isRecord } from '../../rules/core/request-rules.ts'
import type { ExchangeView } from '../../rules/core/view.ts'
import type { TargetOperation } from '../../schemas/binding.ts'
import { table } from '../../schemas/load.ts'
import type { Operation } from '../../schemas/operations.ts'
import { at } from '../../schemas/pointer.ts'
import { placeholders } from '../../schemas/template.ts'
import { type CaseContext, NotRun } from '../case.ts'

/** A good request, on resources that exist. */
export interface ReadyRequest {
  readonly operation: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
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

/** The other request, made of the first one; undefined where this target does not let it be made. */
export async function madeFrom(other: OtherRequest, first: ReadyRequest): Promise<ReadyRequest | undefined> {
  try {
    return await other.make(first)
  } catch (thrown) {
    if (thrown instanceof NotRun) return undefined
    throw thrown
  }
}

/** Whether another good request may be taken where this one was not: no content of it helps against other refusals. */
export function canBeMended({ conclusive, failing, accepted, status }: ExchangeView): boolean {
  return !accepted && (conclusive || failing !== undefined) && status >= 400 && ![401, 403, 405, 501].includes(status)
}

type Body = Readonly<Record<string, unknown>>
type Change = (body: Body, request: ReadyRequest) => Body | undefined | Promise<Body | undefined>

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
  if (operation.deletes !== undefined) return [another(), another()]
  return bound.body === undefined ? own : [...own, ...textAlone(context, operation)]
}

const OTHERS: Readonly<Record<string, (context: CaseContext) => readonly OtherRequest[]>> = table({
  'list-usage-by-tag': () => [
    { ...period('one day', 86_400), sure: true },
    { ...period('thirty days', 30 * 86_400), sure: true },
  ],
  'create-preset-alert': (context) => [listedAlert(context), ...channels()],
  'update-preset-alert': (context) => [shown(context, 'preset-alert', 'channels'), ...channels()],
  'update-transform': (context) => nodeUpdates(context, 'transform'),
  'update-source': (context) => nodeUpdates(context, 'source'),
  'create-group-from-pipeline': (context) => [
    changed('two transforms', true, twoTransforms(context)),
    changed('another title', true, (body) => ({ ...body, title: 'assay' })),
    changed('deploy_type local', true, (body) => ({ ...body, deploy_type: 'local' })),
  ],
  'start-tap': (context) => {
    const sure = context.binding.answers.has('GAP-TAP-COMPONENT')
    return [
      changed('limit 10, timeout 5', sure, (body) => ({ ...body, limit: 10, timeout: 5 })),
      changed('limit 50, timeout 10', sure, (body) => ({ ...body, limit: 50, timeout: 10 })),
      { what: 'another component', sure: false, make: (request) => otherComponent(context, request) },
    ]
  },
  'add-group-to-pipeline': (context) => [
    changed('fed from a transform', true, withInput(context)),
    changed('fed from nothing', true, (body) => ({ ...body, inputs: [] })),
    changed('another group', true, withNew(context, 'group')),
    changed('deploy_type local', true, (body) => ({ ...body, deploy_type: 'local' })),
  ],
  'switch-group-revision': (context) => [
    changed('another revision', true, withNew(context, 'group-revision')),
    changed('fed from nothing', true, (body) => ({ ...body, inputs: [] })),
    changed('fed from a transform', true, withInput(context)),
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
      changed(`state ${JSON.stringify(state)}`, false, (body) => ({ ...body, state })),
    ),
  ],
  'update-processing-status': (context) => [
    { what: 'the other side', sure: false, make: async (request) => request },
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
      const body = await change(isRecord(request.body) ? request.body : {}, request)
      return body && { ...request, body }
    },
  }
}

/** The same request: a new resource is made for each try. */
function another(): OtherRequest {
  return { what: 'another one', sure: true, make: async (request) => request }
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

function period(what: string, seconds: number): Omit<OtherRequest, 'sure'> {
  return {
    what,
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
    changed('deploy_type local', false, (body) => ({ ...body, deploy_type: 'local' })),
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

async function recordOf(context: CaseContext, type: string, { params }: ReadyRequest): Promise<Body | undefined> {
  const { id = '', key = 'id' } = context.binding.resources.get(type) ?? {}
  for (const way of ['read', 'list'] as const) {
    const operation = readerOf(context.binding, type, way)
    if (operation === undefined || context.binding.operations.get(operation)?.offered !== true) continue
    const { view } = await context.send({ operation, params, intent: { kind: 'setup' } })
    if (!view.accepted) continue
    const listed = listIn(view)?.find((element) => String(element[key]) === params[id])
    const record = way === 'read' ? recordIn(view) : listed
    if (record) return record
  }
  return undefined
}

async function variablesOf(context: CaseContext, { params }: ReadyRequest): Promise<Body | undefined> {
  const operation = 'get-state-variables'
  if (context.binding.operations.get(operation)?.offered !== true) return undefined
  const { view } = await context.send({ operation, params, intent: { kind: 'setup' } })
  return { state: recordIn(view) }
}

/** An alert that is there already, under another name. */
function listedAlert(context: CaseContext): OtherRequest {
  let seen: Promise<unknown> | undefined
  const look = async (): Promise<unknown> => {
    const operation = readerOf(context.binding, 'preset-alert', 'list')
    if (operation === undefined || context.binding.operations.get(operation)?.offered !== true) return undefined
    const { view } = await context.send({ operation, intent: { kind: 'setup' } })
    return listIn(view)?.find((element) => isFull(element.channels))?.channels
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

/** Ids in the path that the operation needs, without that of a resource itself. */
function parentsOf(context: CaseContext, type: string, { params }: ReadyRequest): Readonly<Record<string, string>> {
  const { [context.binding.resources.get(type)?.id ?? '']: _own, ...parents } = params
  return parents
}

function twoTransforms(context: CaseContext): Change {
  let second: string | undefined
  return async (body, request) => {
    second ??= (await context.make('transform', parentsOf(context, 'transform', request))).id
    const first = at(body, '/pipeline_transform_ids/0')
    return first === second ? undefined : { ...body, pipeline_transform_ids: [first, second] }
  }
}

function withInput(context: CaseContext): Change {
  let upstream: string | undefined
  return async (body, request) => {
    upstream ??= (await context.make('transform', parentsOf(context, 'transform', request))).id
    return { ...body, inputs: [upstream] }
  }
}

/** The same with a new resource in place of the one that the body names. */
function withNew(context: CaseContext, type: string): Change {
  let made: string | undefined
  return async (body, request) => {
    made ??= (await context.make(type, parentsOf(context, type, request))).id
    return { ...body, [context.binding.resources.get(type)?.id ?? '']: made }
  }
}

async function otherComponent(context: CaseContext, request: ReadyRequest): Promise<ReadyRequest | undefined> {
  const known = request.params.pipeline_transform_id
  const made = known === undefined ? await context.make('transform', request.params) : undefined
  const component = made?.id ?? request.params.pipeline_source_id
  if (component === undefined) return undefined
  return { ...request, params: { ...request.params, ...made?.params, component_id: component } }
}

function published(context: CaseContext): OtherRequest['make'] {
  let done: Promise<unknown> | undefined
  return async (request) => {
    const operation = context.binding.operations.get('publish-pipeline')
    if (operation?.offered !== true) return undefined
    done ??= context.send({ operation: operation.id, params: request.params, intent: { kind: 'setup' } })
    await done
    return request
  }
}
