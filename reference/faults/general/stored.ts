import { invalid } from '../../core/refusal.ts'
import { bodyOf, type Call, type Handler } from '../../core/route.ts'
import type { Document } from '../../model/configuration.ts'
import type { GatewayRoute, Node } from '../../model/pipelines.ts'
import type { State } from '../../model/state.ts'
import { afterwards, askedBody, notApplied } from '../core/changes.ts'
import type { Changes, Fault } from '../core/fault.ts'
import { spoiltNode } from '../pipelines/nodes.ts'

type Spoil = (text: string) => string

/** What becomes of good texts on their way into somebody's table. */
const SPOILS: Readonly<Record<string, readonly [about: string, spoil: Spoil]>> = {
  'cut-255': ['is cut to 255 characters', (text) => text.slice(0, 255)],
  'cut-511': ['is cut to 511 characters', (text) => text.slice(0, 511)],
  'cut-1000': ['is cut to 1,000 characters', (text) => text.slice(0, 1_000)],
  escaped: ['is stored with its marks escaped', (text) => text.replaceAll('&', '&amp;').replaceAll("'", '&#39;')],
  unescaped: ['is stored with its entities resolved', (text) => text.replaceAll('&amp;', '&')],
  decoded: ['is decoded once more', (text) => text.replaceAll('%41', 'A')],
  unquoted: ['loses its backslashes', (text) => text.replaceAll('\\', '')],
  'lower-case': ['is stored in lower case', (text) => text.toLowerCase()],
  trimmed: ['loses the blanks at its ends', (text) => text.trim()],
  'blanks-joined': ['keeps one blank of several', (text) => text.replace(/ +/g, ' ')],
  'ascii-only': ['loses letters outside ASCII', (text) => text.replace(/[^ -~]/gu, '?')],
}

/** A text of what an operation is sent is stored otherwise. */
function spoilt(
  name: string,
  what: string,
  operation: string,
  field: string,
  requirement: string,
  ways: readonly (keyof typeof SPOILS & string)[],
): Fault[] {
  return ways.map((way) => {
    const [about, spoil] = SPOILS[way] ?? [way, (text: string) => text]
    return {
      name: `${name}-${way}`,
      about: `${what} ${about}`,
      kills: [requirement],
      changes: askedBody(operation, (sent) => {
        const text = sent[field]
        return typeof text === 'string' ? { ...sent, [field]: spoil(text) } : sent
      }),
    }
  })
}

function channels(change: (channel: Readonly<Record<string, unknown>>) => unknown): Changes {
  return askedBody('update-preset-alert', (sent) => ({
    ...sent,
    channels: ((sent.channels ?? []) as Record<string, unknown>[]).map(change),
  }))
}

function stateTexts(spoil: Spoil): Changes {
  return askedBody('update-state-variables', (sent) => ({
    ...sent,
    state: Object.fromEntries(
      Object.entries((sent.state ?? {}) as object).map(([name, value]) => [
        name,
        typeof value === 'string' ? spoil(value) : value,
      ]),
    ),
  }))
}

/** A good text is refused for what it is made of. */
function choosy(
  name: string,
  about: string,
  operations: readonly string[],
  field: string,
  requirement: string,
  refuses: (text: string) => boolean,
): Fault {
  const check = (call: Call): Call => {
    const text = (call.body as Record<string, unknown>)[field]
    if (typeof text === 'string' && refuses(text)) throw invalid(`/${field}`, 'must be another text')
    return call
  }
  const handlers = Object.fromEntries(
    operations.map((operation) => [operation, (inner: Handler) => (call: Call) => inner(check(call))]),
  )
  return { name, about, kills: [requirement], changes: { handlers } }
}

const isLong = (text: string): boolean => Buffer.byteLength(text) > 512

const isForeign = (text: string): boolean => /[^ -~]/u.test(text)

const NODES = ['update-transform', 'update-source']

const GROUP = ['create-group-from-pipeline']

/** Something that is wrong with the signing keys of a route once one was added. */
function spoiltKeys(spoil: (route: GatewayRoute, before: number) => void): Changes {
  const find = ({ state, params }: Call): GatewayRoute | undefined =>
    state.gatewayRoutes.get(params.gateway_route_id ?? '')
  return afterwards(
    'add-signing-key',
    (call) => find(call)?.signingKeys.length ?? 0,
    (call, before) => {
      const route = find(call)
      if (route) spoil(route, before)
    },
  )
}

/** Faults in what good values become where they are stored, and in which of them are taken. */
export const storedFaults: readonly Fault[] = [
  ...spoilt('transform-title', 'the title of a transform', 'update-transform', 'title', 'TRANSFORM-UPDATE-REPLACES', [
    'cut-255',
    'cut-511',
    'escaped',
    'unescaped',
    'decoded',
    'unquoted',
    'lower-case',
    'trimmed',
    'blanks-joined',
    'ascii-only',
  ]),
  ...spoilt(
    'source-description',
    'the description of a source',
    'update-source',
    'description',
    'SOURCE-UPDATE-REPLACES',
    ['cut-255', 'cut-1000', 'escaped', 'trimmed', 'ascii-only'],
  ),
  ...(['transform', 'source'] as const).map((word) =>
    spoiltNode(word, 'config-kept', `an update of a ${word} keeps its configuration`, (_, { userConfig }) => ({
      userConfig,
    })),
  ),
  spoiltNode('source', 'config-flat', 'lists in the configuration of a source are not stored', ({ userConfig }) => ({
    userConfig: Object.fromEntries(Object.entries(userConfig).filter(([, value]) => !Array.isArray(value))),
  })),
  spoiltNode('transform', 'inputs-kept', 'an update of a transform keeps its inputs', (_, { inputs }) => ({ inputs })),
  spoiltNode('transform', 'inputs-first-only', 'a transform is fed from the first of its inputs only', (node) => ({
    inputs: node.inputs.slice(0, 1),
  })),
  ...spoilt('route-title', 'the title of a gateway route', 'update-gateway-route', 'title', 'ROUTE-PATCH-APPLIES', [
    'cut-255',
    'escaped',
    'lower-case',
  ]),
  ...spoilt('preset-name', 'the name of a preset alert', 'update-preset-alert', 'name', 'PRESET-UPDATE-APPLIES', [
    'escaped',
    'lower-case',
    'ascii-only',
  ]),
  ...spoilt('group-title', 'the title of a group', 'create-group-from-pipeline', 'title', 'GROUP-READ', [
    'cut-255',
    'escaped',
  ]),
  ...(['view', 'category', 'alert'] as const).flatMap((word) =>
    spoilt(`${word}-name`, `the name of a ${word}`, `update-${word}`, 'name', `${word.toUpperCase()}-READ`, [
      'escaped',
      'lower-case',
    ]),
  ),
  ...[
    ['board', 'BOARD-UPDATE'],
    ['screen', 'SCREEN-READ'],
    ['pipeline', 'PIPELINE-UPDATE'],
  ].flatMap(([word, requirement = '']) =>
    spoilt(`${word}-title`, `the title of a ${word}`, `update-${word}`, 'title', requirement, [
      'escaped',
      'lower-case',
    ]),
  ),
  {
    name: 'preset-emails-first-only',
    about: 'of the addresses of a channel the first one is stored',
    kills: ['PRESET-READ'],
    changes: channels((channel) => ({ ...channel, emails: (channel.emails as unknown[] | undefined)?.slice(0, 1) })),
  },
  {
    name: 'preset-always-in-the-end',
    about: 'an updated preset alert is sent in the end and not at once, whatever it says',
    kills: ['PRESET-READ'],
    changes: channels((channel) => ({ ...channel, immediate: false, terminal: true })),
  },
  {
    name: 'state-escaped',
    about: 'texts of state variables are stored with their marks escaped',
    kills: ['STATEVAR-APPLIES'],
    changes: stateTexts(SPOILS.escaped?.[1] ?? String),
  },
  {
    name: 'state-cut-255',
    about: 'texts of state variables are cut to 255 characters',
    kills: ['STATEVAR-APPLIES'],
    changes: stateTexts(SPOILS['cut-255']?.[1] ?? String),
  },
  choosy('node-title-bytes', 'titles of nodes have at most 512 bytes', NODES, 'title', 'NODE-TITLE-MAX', isLong),
  choosy('group-title-bytes', 'titles of groups have at most 512 bytes', GROUP, 'title', 'GROUP-TITLE-MAX', isLong),
  choosy(
    'node-title-ascii',
    'titles of nodes may not hold letters outside ASCII',
    NODES,
    'title',
    'NODE-TITLE-PATTERN',
    isForeign,
  ),
  choosy(
    'node-description-ascii',
    'descriptions of nodes may not hold letters outside ASCII',
    NODES,
    'description',
    'NODE-DESCRIPTION-PATTERN',
    isForeign,
  ),
  choosy(
    'group-title-ascii',
    'titles of groups may not hold letters outside ASCII',
    GROUP,
    'title',
    'GROUP-TITLE-PATTERN',
    isForeign,
  ),
  {
    name: 'signing-key-not-added',
    about: 'a signing key is taken and forgotten',
    kills: ['SIGNING-KEY-ADDS'],
    changes: notApplied('add-signing-key'),
  },
  {
    name: 'signing-key-replaces',
    about: 'a signing key takes the place of those that are there',
    kills: ['SIGNING-KEYS-KEPT'],
    changes: spoiltKeys((route, before) => void route.signingKeys.splice(0, before)),
  },
  {
    name: 'signing-key-first-only',
    about: 'a gateway route keeps its first signing key only',
    kills: ['SIGNING-KEYS-KEPT'],
    changes: spoiltKeys((route) => void route.signingKeys.splice(1)),
  },
]

type Sent = Readonly<Record<string, unknown>>

/** What is wrong with the others once an operation was carried out on one. */
function beside(operation: string, spoil: (call: Call) => void): Changes {
  return afterwards(operation, () => undefined, spoil)
}

/** An update of a node gives its title to the others of its pipeline. */
function titled(word: 'transform' | 'source'): Fault {
  return {
    name: `${word}-update-titles-others`,
    about: `an update of a ${word} gives its title to every other ${word} of the pipeline`,
    kills: [`${word.toUpperCase()}-UPDATE-REPLACES`],
    changes: beside(`update-${word}`, ({ state, params, body }) => {
      const nodes = state.pipelines.get(params.pipeline_id ?? '')?.[`${word}s`] ?? new Map<string, Node>()
      for (const node of nodes.values()) node.title = String((body as Sent).title ?? node.title)
    }),
  }
}

/** A deletion takes along another thing of the kind, the one that was made last. */
function takesAnother(
  word: string,
  operation: string,
  requirement: string,
  of: (state: State) => Map<string, unknown>,
  spared: (thing: unknown) => boolean = () => false,
): Fault {
  return {
    name: `${operation}-takes-another`,
    about: `the removal of a ${word} removes another one as well`,
    kills: [requirement],
    changes: beside(operation, ({ state }) => {
      const things = of(state)
      const other = [...things].findLast(([, thing]) => !spared(thing))
      if (other) things.delete(other[0])
    }),
  }
}

/** Faults that reach another thing than the one that a request names. */
export const neighbourFaults: readonly Fault[] = [
  titled('transform'),
  titled('source'),
  {
    name: 'preset-update-reaches-others',
    about: 'an update of a preset alert gives its name to every other one',
    kills: ['PRESET-UPDATE-APPLIES'],
    changes: beside('update-preset-alert', ({ state, body }) => {
      for (const preset of state.presets.values() as Iterable<Document>)
        preset.body = { ...preset.body, name: (body as Sent).name }
    }),
  },
  {
    name: 'route-patch-reaches-others',
    about: 'a patch of a gateway route gives its title to every other one',
    kills: ['ROUTE-PATCH-APPLIES'],
    changes: beside('update-gateway-route', (call) => {
      const { title } = bodyOf(call)
      if (typeof title === 'string') for (const route of call.state.gatewayRoutes.values()) route.title = title
    }),
  },
  {
    name: 'state-shared',
    about: 'state variables are those of all pipelines',
    kills: ['STATEVAR-APPLIES'],
    changes: beside('update-state-variables', (call) => {
      const sent = bodyOf(call).state as Sent
      for (const { stateVariables } of call.state.pipelines.values())
        stateVariables.state = { ...stateVariables.state, ...sent }
    }),
  },
  {
    name: 'revision-switch-reaches-others',
    about: 'a placed group takes along every other placement of its group when it is moved',
    kills: ['REVISION-MOVES'],
    changes: beside('switch-group-revision', ({ state, params }) => {
      const placed = state.pipelines.get(params.pipeline_id ?? '')?.placedGroups
      const moved = placed?.get(params.pipeline_transform_group_id ?? '')
      for (const other of placed?.values() ?? [])
        if (moved && other.groupId === moved.groupId) other.revisionId = moved.revisionId
    }),
  },
  {
    name: 'processing-switch-reaches-others',
    about: 'a switch of the processing status is one of all pipelines',
    kills: ['PROCESSING-STATUS-SWITCHES'],
    changes: beside('update-processing-status', ({ state, params }) => {
      const { processing } = state.pipelines.get(params.pipeline_id ?? '') ?? {}
      if (processing !== undefined) for (const pipeline of state.pipelines.values()) pipeline.processing = processing
    }),
  },
  takesAnother(
    'member',
    'delete-member',
    'MEMBER-DELETE-REMOVES',
    ({ members }) => members,
    (member) => (member as { role: string }).role === 'owner',
  ),
  takesAnother('exclusion rule', 'delete-exclusion', 'EXCLUSION-DELETE-REMOVES', ({ exclusions }) => exclusions),
  takesAnother('screen', 'delete-screen', 'SCREEN-DELETE-REMOVES', ({ screens }) => screens),
]
