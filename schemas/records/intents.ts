/**
 * What a case may mean by a request, and what rules may read: the contract between the two. Each kind and each probe has
 * a case that sends it and a rule that reads it; `prove/intents.test.ts` shows both. Words for people alone are edges.
 */

/** Data that a rule needs and the request does not carry. */
interface Fields {
  /** the specification lets the operation be carried out with these credentials */
  readonly right: boolean
  /** requirements that a bad value cannot help breaking as well */
  readonly also: readonly string[]
  /** the form is the one that the text states or the binding gives; others of the group are `otherForm` */
  readonly form: true
  /** where in the answer the field stands that a read looks at */
  readonly shows: string
  /** what the field was sent as */
  readonly sent: unknown
  /** what the field was before */
  readonly before: unknown
  /** the good request rests on no gap */
  readonly sure: boolean
  /** no further good request follows */
  readonly last: boolean
  /** the condition of the error table that the request meets */
  readonly condition: Probes['unknownMember' | 'unknownScreen' | 'unknownExclusion']['name']
  /** the key does not exist */
  readonly unknown: boolean
}

/** As rules see it: a recording of another version may lack some. */
export type IntentData = Partial<Fields>

interface KindEntry {
  readonly about: string
  /** always said */
  readonly data?: readonly (keyof Fields)[]
  /** said where it applies */
  readonly optional?: readonly (keyof Fields)[]
}

interface ProbeEntry {
  /** as in recordings: it stays unchanged */
  readonly name: string
  readonly about: string
  readonly kinds: readonly IntentKind[]
  readonly data?: readonly (keyof Fields)[]
}

const KINDS = {
  preflight: { about: 'looks, before the first case, whether the target answers at all' },
  setup: { about: 'makes what a case needs' },
  base: { about: 'a good request, the control of others in its group', optional: ['form'] },
  accept: { about: 'differs from the base in one good value' },
  refuse: { about: 'differs from the base in one bad value', optional: ['also'] },
  auth: { about: 'the base with other credentials', data: ['right'] },
  read: { about: 'reads back what a request of the group did' },
  provoke: { about: 'brings about a stated condition' },
  observe: { about: 'is never judged for refusal or acceptance', optional: ['shows', 'sent', 'before'] },
  cleanup: { about: 'removes what the run made' },
} as const

export type IntentKind = keyof typeof KINDS

const PROBES = {
  // general
  goodRequest: {
    name: 'good-request',
    kinds: ['base'],
    about: 'one of several different good requests of an operation that may not work',
    data: ['sure', 'last'],
  },
  needed: { name: 'needed', kinds: ['read'], about: 'shows that what the operation needs is there' },
  sibling: {
    name: 'sibling',
    kinds: ['read', 'setup'],
    about: 'is carried out by another operation of the same family with the same credentials',
  },
  leftAlone: { name: 'left-alone', kinds: ['read'], about: 'looks what became of refused requests' },
  otherForm: { name: 'other-form', kinds: ['observe'], about: 'has another form than the stated one' },
  parallel: {
    name: 'parallel',
    kinds: ['observe', 'read'],
    about: 'is sent at the same time as others of its group, or reads what they left',
  },
  oddId: {
    name: 'odd-id',
    kinds: ['provoke'],
    about: 'names what does not exist by an id of an unusual form',
    data: ['condition'],
  },
  // conditions of the error table: operations.json names them, and rules find them there
  invalidQuery: { name: 'invalid-query', kinds: ['provoke'], about: 'has a query that the binding calls invalid' },
  owner: { name: 'owner', kinds: ['provoke'], about: 'removes the owner of the account' },
  unknownMember: { name: 'unknown-member', kinds: ['provoke'], about: 'removes nobody who is a member' },
  unknownExclusion: {
    name: 'unknown-exclusion',
    kinds: ['provoke'],
    about: 'deletes an exclusion rule that is not there',
  },
  unknownScreen: { name: 'unknown-screen', kinds: ['provoke'], about: 'deletes a screen that is not there' },
  // conditions of operations whose paths only a binding gives
  longKeyName: {
    name: 'key-name-too-long',
    kinds: ['provoke'],
    about: 'makes an enterprise key with a name that is too long',
  },
  serviceKey: { name: 'service-key', kinds: ['provoke'], about: 'makes a service key, which is no longer possible' },
  // configuration
  madeKey: {
    name: 'made-key',
    kinds: ['observe'],
    about: 'carries the secret of a key that the run made, or of none',
    data: ['unknown'],
  },
  // ingestion
  saidTwice: {
    name: 'lines that say the same',
    kinds: ['base', 'read'],
    about: 'sends lines that say the same, or exports them',
  },
  tokenNeverGiven: {
    name: 'a token that was never given',
    kinds: ['observe'],
    about: 'confirms a suspension with a token that nobody got',
  },
  tokenUsed: { name: 'a token that was used', kinds: ['observe'], about: 'confirms with a token a second time' },
  tokenOfEarlier: {
    name: 'a token of an earlier suspension',
    kinds: ['observe'],
    about: 'confirms with the token of a suspension that was taken back',
  },
  // exports
  likeV1: { name: 'like-v1', kinds: ['read'], about: 'exports the same by export v1 and by export v2' },
  olderAndNewer: {
    name: 'holds older and newer lines',
    kinds: ['base'],
    about: 'exports a period with an older and a newer line',
  },
  endsBetween: {
    name: 'ends before newer lines',
    kinds: ['observe'],
    about: 'exports a period that ends between the two',
  },
  beginsBetween: {
    name: 'begins after older lines',
    kinds: ['observe'],
    about: 'exports a period that begins between the two',
  },
  endsAfterComing: {
    name: 'ends after lines to come',
    kinds: ['observe'],
    about: 'exports lines of the future',
  },
  endsBeforeComing: {
    name: 'ends before lines to come',
    kinds: ['observe'],
    about: 'exports a period that ends before lines of the future',
  },
  endsNow: { name: 'ends now', kinds: ['read'], about: 'exports until the current time' },
  // usage
  share: { name: 'share', kinds: ['read'], about: 'asks for all rows of a report, or for the first alone' },
  unlikeLines: {
    name: 'lines of unlike lengths',
    kinds: ['base', 'read'],
    about: 'sends few long lines and many others, or asks for a report about them',
  },
  sameDay: {
    name: 'same-day',
    kinds: ['base', 'read'],
    about: 'sends lines of a day, or asks for reports that begin and end at other moments of the same days',
  },
  lastDay: {
    name: 'last-day',
    kinds: ['observe'],
    about: 'asks for a report that ends on the day of the newest lines',
  },
  droppedUsage: {
    name: 'dropped',
    kinds: ['read', 'setup'],
    about: 'sends lines that an exclusion rule drops, or asks for a report around them',
  },
  // pipelines
  leftovers: {
    name: 'leftovers',
    kinds: ['observe', 'read'],
    about: 'updates a configuration as a whole, or reads what is left of the one before',
  },
  tapFilterNone: { name: 'tap-filter-none', kinds: ['read'], about: 'taps with a filter that no event matches' },
  tapEdgeIdle: { name: 'tap-edge-idle', kinds: ['read'], about: 'taps at an edge that no event passes' },
  tapComponentUnknown: {
    name: 'tap-component-unknown',
    kinds: ['read'],
    about: 'taps a component that is not there',
  },
} as const

type Probes = typeof PROBES
type ProbeKey = keyof Probes

/** As in recordings. */
export type ProbeName = Probes[ProbeKey]['name']

/** The name of each probe. */
export const probes: { readonly [K in ProbeKey]: Probes[K]['name'] } = Object.fromEntries(
  Object.entries(PROBES).map(([key, { name }]) => [key, name]),
) as { [K in ProbeKey]: Probes[K]['name'] }

/** The tables, for who looks at all of them. */
export const intentKinds: Readonly<Record<string, KindEntry>> = KINDS
export const probeTable: Readonly<Record<string, ProbeEntry>> = PROBES

/** What a case says of a request. Which data go with which kind and probe, the tables say; `prove/intents.test.ts` looks. */
export interface CaseIntent {
  readonly kind: IntentKind
  readonly probe?: ProbeName
  readonly group?: string
  readonly requirement?: string
  readonly pointer?: string
  readonly edge?: string
  readonly final?: boolean
  readonly data?: IntentData
}
