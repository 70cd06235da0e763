import { type BindingFile, shippedBinding } from '../../schemas/binding.ts'
import { invalid } from '../core/refusal.ts'
import type { Call, Handler } from '../core/route.ts'
import { afterwards, asked, askedBody } from '../faults/core/changes.ts'
import type { Changes } from '../faults/core/fault.ts'
import { parallelFaults } from '../faults/general/parallel.ts'
import type { State } from '../model/state.ts'
import type { Variant } from './variant.ts'

type Fields = Readonly<Record<string, unknown>>

/** Several changes of different operations as one. */
function together(...all: readonly Changes[]): Changes {
  return { handlers: Object.assign({}, ...all.map(({ handlers }) => handlers)) }
}

/** Texts, at whatever depth, as a target keeps them that shows them on pages. */
function escaped(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('&', '&amp;').replaceAll("'", '&#39;').replaceAll(':', '=')
  if (Array.isArray(value)) return value.map(escaped)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, escaped(child)]))
}

function channelsOf(body: Fields | undefined): readonly Fields[] {
  return Array.isArray(body?.channels) ? body.channels : []
}

/** Channels of one kind become one. */
function merged(channels: readonly Fields[]): readonly Fields[] {
  const byKind = new Map<unknown, Fields>()
  for (const channel of channels) {
    byKind.set(channel.integration, { ...byKind.get(channel.integration), ...channel, immediate: true })
  }
  return [...byKind.values()]
}

/** The binding of the reference without what the variant does not promise: `normalised`, by kind of resource. */
function without(
  name: string,
  normalised: Readonly<Record<string, readonly string[]>>,
  answers: NonNullable<BindingFile['answers']> = {},
): () => BindingFile {
  return () => {
    const files = [shippedBinding('default'), shippedBinding('reference')]
    const shipped = Object.assign({}, ...files.map(({ resources }) => resources)) as NonNullable<
      BindingFile['resources']
    >
    const resources: NonNullable<BindingFile['resources']> = {}
    for (const [type, fields] of Object.entries(normalised)) {
      const known = shipped[type]
      if (!known) throw new Error(`the reference has no ${type}`)
      resources[type] = { ...known, normalises: [...fields] }
    }
    return { formatVersion: 1, name, resources, answers }
  }
}

const RESERVED = /(@|\.)(example(\.(com|net|org))?|test|invalid|localhost)$/i

/** Resuming wants two calls with no other request about the suspension between them. */
function resumesTwice(): Changes {
  const waiting = new WeakSet<State>()
  const resets = (inner: Handler) => (call: Call) => {
    waiting.delete(call.state)
    return inner(call)
  }
  return {
    handlers: {
      'get-ingestion-status': resets,
      'suspend-ingestion': resets,
      'confirm-suspension': resets,
      'resume-ingestion': (inner) => (call) => {
        if (!call.state.suspension.suspended || waiting.delete(call.state)) return inner(call)
        waiting.add(call.state)
        return { status: 202, json: { status: 'call again to resume' } }
      },
    },
  }
}

export const unpromisedVariants: readonly Variant[] = [
  {
    name: 'mail-reserved-refused',
    about: 'export v1 mails nothing to addresses that are reserved for examples',
    changes: () =>
      asked('export-v1', (call) => {
        if (RESERVED.test(call.query.get('email') ?? '')) throw invalid('query parameter email', 'cannot be mailed to')
        return call
      }),
  },
  {
    name: 'organisation-key-names-short',
    about: 'keys of the organisation have names of fewer than 30 characters',
    changes: () =>
      askedBody('create-key', (sent) => {
        if (String(sent.name).length >= 30) throw invalid('/name', 'is too long')
        return sent
      }),
  },
  {
    name: 'organisation-key-names-cut',
    about: 'the name of a key of the organisation may be of any length, and is cut to 30 characters',
    changes: () => askedBody('create-key', (sent) => ({ ...sent, name: String(sent.name).slice(0, 30) })),
  },
  {
    name: 'placement-deploy-type-fixed',
    about: 'a placed group is shown as saas, whatever was sent',
    changes: () => askedBody('add-group-to-pipeline', (sent) => ({ ...sent, deploy_type: 'saas' })),
    binding: without('placement-deploy-type-fixed', { 'placed-group': ['deploy_type'] }),
  },
  {
    name: 'preset-channels-merged',
    binding: without('preset-channels-merged', { 'preset-alert': ['channels'] }),
    about: 'channels of one kind become one, and an update adds its channels to those that are there',
    changes: () =>
      together(
        askedBody('create-preset-alert', (sent) => ({ ...sent, channels: merged(channelsOf(sent)) })),
        askedBody('update-preset-alert', (sent, { state, params }) => {
          const before = channelsOf(state.presets.get(params.presetId ?? '')?.body)
          return { ...sent, channels: merged([...before, ...channelsOf(sent)]) }
        }),
      ),
  },
  {
    name: 'updates-respelled',
    binding: without('updates-respelled', {
      view: ['name', 'query', 'hosts', 'apps', 'tags'],
      alert: ['name', 'channels'],
      category: ['name'],
      screen: ['title'],
      member: ['role'],
    }),
    about: 'what an update sends is kept in a form of its own',
    changes: () =>
      together(
        ...['view', 'alert', 'category', 'screen'].map((word) => askedBody(`update-${word}`, (sent) => escaped(sent))),
        askedBody('update-member', (sent) => ({ ...sent, role: `${sent.role}-role` })),
      ),
  },
  {
    name: 'resume-twice',
    about: 'resuming wants two consecutive calls, as suspending does',
    changes: resumesTwice,
  },
  {
    name: 'signing-key-replaces',
    binding: without('signing-key-replaces', {}, { 'GAP-SIGNING-KEY-REPEAT': null }),
    about: 'a signing key takes the place of those that are there',
    changes: () =>
      afterwards(
        'add-signing-key',
        (call: Call) => call.state.gatewayRoutes.get(call.params.gateway_route_id ?? '')?.signingKeys.length ?? 0,
        ({ state, params }, before) => {
          state.gatewayRoutes.get(params.gateway_route_id ?? '')?.signingKeys.splice(0, before)
        },
      ),
  },
  {
    name: 'requests-overlap',
    binding: without('requests-overlap', {}, { 'GAP-CONCURRENCY': null }),
    about: 'requests that overlap in time leave what no order of them would leave',
    // A line that an export leaves out is missing, whatever runs beside it.
    changes: () =>
      together(...parallelFaults.filter(({ name }) => name !== 'export-shared-cursor').map(({ changes }) => changes)),
  },
]
