import type { Reply } from '../core/message.ts'
import { invalid, notFound, Refusal } from '../core/refusal.ts'
import { bodyOf, type Call, param } from '../core/route.ts'
import type { Changes } from '../faults/core/fault.ts'
import type { Variant } from './variant.ts'

/** Looks at calls of an operation before they are carried out; `check` throws the refusal. */
function demands(operation: string, check: (call: Call) => void): Changes {
  return {
    handlers: {
      [operation]: (inner) => (call) => {
        check(call)
        return inner(call)
      },
    },
  }
}

/** Answers every call of an operation alike, and carries none out. */
function always(operation: string, reply: Reply): Changes {
  return { handlers: { [operation]: () => () => reply } }
}

const json = { message: 'not now', code: 'Busy', status: 'error' }

/** The state variables that a request names and that are not there. */
function unknownVariables(call: Call): string[] {
  const { pipeline_id, state } = bodyOf<{ pipeline_id: string; state: object }>(call)
  const known = call.state.pipelines.get(pipeline_id ?? '')?.stateVariables.state ?? {}
  return Object.keys(state ?? {}).filter((name) => !(name in known))
}

/**
 * What a target may want before it carries out a request that looks good, where the text does not show what good is. Some of
 * these carry nothing out at all under the binding of the reference: they end as partial, and nothing is found to be broken.
 */
export const demandingVariants: readonly Variant[] = [
  {
    name: 'patch-busy',
    about: 'the first two changes of a gateway route are refused with 409, as another one is in progress',
    changes: () => {
      const counts = new Map<string, number>()
      return demands('update-gateway-route', (call) => {
        const id = param(call, 'gateway_route_id')
        const count = (counts.get(id) ?? 0) + 1
        counts.set(id, count)
        if (count <= 2) throw new Refusal('Conflict', 'another change is in progress')
      })
    },
  },
  {
    name: 'group-placed-once',
    about: 'a pipeline takes a transform group once',
    changes: () =>
      demands('add-group-to-pipeline', (call) => {
        const placed = call.state.pipelines.get(param(call, 'pipeline_id'))?.placedGroups.values() ?? []
        const { transform_group_id } = bodyOf(call)
        if ([...placed].some(({ groupId }) => groupId === transform_group_id))
          throw new Refusal('Conflict', 'the group is in the pipeline already')
      }),
  },
  {
    name: 'group-needs-inputs',
    about: 'a transform group is fed from at least one node',
    changes: () =>
      demands('add-group-to-pipeline', (call) => {
        const { inputs } = bodyOf(call)
        if (!Array.isArray(inputs) || inputs.length === 0) throw invalid('/inputs', 'must name a node')
      }),
  },
  ...[32, 44].map(
    (length): Variant => ({
      name: `signing-key-${length}`,
      about: `a signing key has ${length} characters`,
      changes: () =>
        demands('add-signing-key', (call) => {
          if (String(bodyOf(call).key).length !== length) throw invalid('/key', `must have ${length} characters`)
        }),
    }),
  ),
  {
    name: 'signing-key-pem',
    about: 'a signing key is a public key in PEM',
    changes: () =>
      demands('add-signing-key', (call) => {
        if (!String(bodyOf(call).key).startsWith('-----BEGIN')) throw invalid('/key', 'must be a public key in PEM')
      }),
  },
  {
    name: 'state-known-only',
    about: 'state variables that do not exist yet are not found',
    changes: () =>
      demands('update-state-variables', (call) => {
        if (unknownVariables(call).length > 0) throw notFound('there is no such variable')
      }),
  },
  {
    name: 'state-known-some',
    about: 'state variables have to exist, and at least one has to be named',
    changes: () =>
      demands('update-state-variables', (call) => {
        if (unknownVariables(call).length > 0) throw notFound('there is no such variable')
        if (Object.keys(bodyOf<{ state: object }>(call).state ?? {}).length === 0)
          throw invalid('/state', 'must name a variable')
      }),
  },
  {
    name: 'status-of-published',
    about: 'a pipeline is enabled and disabled once it is published',
    changes: () =>
      demands('update-processing-status', (call) => {
        const pipeline = call.state.pipelines.get(param(call, 'pipeline_id'))
        if (pipeline?.publishedAt === null) throw new Refusal('Conflict', 'the pipeline is not published')
      }),
  },
  {
    name: 'status-other-words',
    about: 'the processing status is switched by words that the binding does not have',
    changes: () =>
      demands('update-processing-status', () => {
        throw invalid('/processing_status', 'must be ON or OFF')
      }),
  },
  {
    name: 'preset-one-channel',
    about: 'a preset alert has at least one channel, and is sent to addresses',
    changes: () => ({
      handlers: Object.fromEntries(
        ['create-preset-alert', 'update-preset-alert'].map((operation) => [
          operation,
          (inner) => (call) => {
            const { channels } = bodyOf<{ channels: { integration?: unknown }[] }>(call)
            if (channels?.some(({ integration }) => integration !== 'email') !== false || channels.length === 0)
              throw invalid('/channels', 'must be a list of addresses')
            return inner(call)
          },
        ]),
      ),
    }),
  },
  {
    name: 'preset-chat-only',
    about: 'a preset alert is sent to a chat that the binding does not know',
    changes: () =>
      demands('create-preset-alert', () => {
        throw invalid('/channels/0/integration', 'must be chat')
      }),
  },
  {
    name: 'member-invited',
    about: 'a member that was made is invited and listed, and is no active member before it accepts',
    changes: () => ({
      ...demands('delete-member', (call) => {
        const member = call.state.members.get(param(call, 'email').toLowerCase())
        if (member?.role === 'member') throw notFound('the e-mail is not an active member')
      }),
      answer(answer, { method, path }) {
        if (method !== 'GET' || !path.startsWith('/v1/config/members') || answer.status !== 200) return answer
        const withStatus = (member: object): object => ({ ...member, status: 'invited' })
        const { json: told } = answer
        return { ...answer, json: Array.isArray(told) ? told.map(withStatus) : withStatus(told as object) }
      },
    }),
  },
  {
    name: 'mail-one-at-a-time',
    about: 'export v1 mails nothing while another export is under way',
    changes: () => {
      let isUnderWay = false
      return demands('export-v1', ({ query }) => {
        if ((query.get('email') ?? '') === '') return
        if (isUnderWay) throw invalid('/email', 'another export is under way')
        isUnderWay = true
      })
    },
  },
  {
    name: 'tap-throttled',
    about: 'taps are put off for longer than a run takes',
    changes: () => always('start-tap', { status: 429, json, headers: { 'retry-after': '0' } }),
  },
  {
    name: 'tap-unavailable',
    about: 'no tap is available for the time of the run',
    changes: () => always('start-tap', { status: 503, json, headers: { 'retry-after': '0' } }),
  },
]
