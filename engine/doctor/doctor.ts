import type { Session } from '../../fixtures/http/session.ts'
import { firstOf } from '../../reports/counted.ts'
import type { Binding, TargetOperation } from '../../schemas/binding.ts'
import { features } from '../../schemas/features.ts'
import type { Consent, ListedResources, TargetConfig } from '../../schemas/types/config.ts'
import type { MeasuredCase } from '../../suites/case.ts'
import { FIELDS } from '../../suites/request/credentials.ts'
import { isRefusal } from '../../suites/request/outage.ts'
import { LISTED } from '../../suites/resources/maker.ts'
import { type Preflight, preflight } from '../../suites/run/preflight.ts'
import { isSuccess, type Read, type Trial } from '../../suites/run/tried-credentials.ts'
import { changesOf, staying } from '../consent.ts'
import type { Certificate } from './tls.ts'

/** One thing that was looked at before a run. */
export interface Check {
  readonly about: 'target' | 'credentials' | 'operations' | 'consent' | 'resources' | 'run'
  readonly name: string
  /** note: nothing is wrong, but somebody may want to know or change it */
  readonly state: 'ok' | 'problem' | 'note'
  /** what was found, without an end */
  readonly what: string
  /** what to do; '' where there is nothing to do */
  readonly fix: string
}

export interface Examined {
  readonly checks: readonly Check[]
  /** no run makes sense: the target cannot be reached, or takes none of the credentials */
  readonly unreachable: boolean
}

export interface DoctorInput {
  readonly config: TargetConfig
  readonly binding: Binding
  /** features that are claimed */
  readonly claimed: ReadonlySet<string>
  /** what a run would send */
  readonly cases: readonly MeasuredCase[]
  readonly session: Session
  /** what the target shows where it is spoken to with TLS; undefined: it is not, or not straight */
  readonly certificate: Certificate | undefined
  readonly now: () => number
  readonly sleep: (milliseconds: number) => Promise<unknown>
}

/** Seconds that clocks may be apart: `Date` has whole seconds, and the answer takes a moment. */
const CLOCK_S = 5
/** Days before its end after which a certificate is named. */
const RENEW_DAYS = 14
const DAY_MS = 86_400_000

/** Makes checks of one state. */
const checkOf =
  (state: Check['state']) =>
  (about: Check['about'], name: string, what: string, fix = ''): Check => ({ about, name, state, what, fix })
const ok = checkOf('ok')
const note = checkOf('note')
const problem = checkOf('problem')

/** Looks at everything that a run needs of its target and of its configuration. Sends nothing that changes the target. */
export async function examine(input: DoctorInput): Promise<Examined> {
  const { session, binding, claimed, now, sleep } = input
  const { credentials = {}, proxy } = input.config
  const looked = await preflight({ session, binding, credentials, claimed, proxy, now, sleep, thorough: true })
  const answered = looked.first._outcome === 'complete'
  const checks = [
    ...reached(looked, input),
    ...(answered ? [clock(looked, now()), ...credentialChecks(looked, input), ...operationChecks(looked, input)] : []),
    ...consentChecks(input),
    ...resourceChecks(input),
    ...runChecks(input),
  ]
  return { checks, unreachable: looked.failure !== undefined }
}

/** The target, TLS and the proxy. */
function reached({ failure, hint, first }: Preflight, { config, certificate, now }: DoctorInput): Check[] {
  const { baseUrl, proxy, tls } = config
  const insecure = 'the certificate is not checked (tls.insecure)'
  const throughProxy = failure === undefined ? ok : note
  return [
    failure === undefined
      ? ok('target', 'address', `${baseUrl} answers, in ${Math.round(first.time)} ms`)
      : problem('target', 'address', failure, hint),
    ...(proxy === undefined ? [] : [throughProxy('target', 'proxy', `requests go through ${origin(proxy)}`)]),
    ...(tls?.insecure === true ? [note('target', 'TLS', insecure, 'name its authority in tls.ca')] : []),
    ...(certificate ? [ofCertificate(certificate, now())] : []),
  ]
}

function ofCertificate({ subject, issuer, validTo, protocol }: Certificate, now: number): Check {
  const days = Math.floor((validTo - now) / DAY_MS)
  const what = `${protocol}, certificate of ${subject} by ${issuer}, valid for ${days} more days`
  return days < RENEW_DAYS ? note('target', 'TLS', what, 'renew it soon') : ok('target', 'TLS', what)
}

function clock({ first }: Preflight, now: number): Check {
  const header = first.response.headers.find(({ name }) => name.toLowerCase() === 'date')
  const theirs = Date.parse(header?.value ?? '')
  if (Number.isNaN(theirs))
    return note('target', 'clock', 'its responses have no Date, so its clock cannot be compared')
  const ours = Math.min(now, Date.parse(first.startedDateTime) + first.time)
  const apart = Math.round((theirs - ours) / 1000)
  if (Math.abs(apart) <= CLOCK_S) return ok('target', 'clock', 'the same as here')
  const what = `${Math.abs(apart)} s ${apart > 0 ? 'ahead of' : 'behind'} the clock of this machine`
  return problem('target', 'clock', what, 'set both clocks by NTP: exports and usage are requested by time')
}

function credentialChecks({ trials, lacking }: Preflight, { config: { credentials = {} } }: DoctorInput): Check[] {
  const parts = new Map<string, Trial[]>()
  for (const trial of trials) {
    const name = `${FIELDS[trial.scheme]}, ${trial.operation.family}`
    parts.set(name, [...(parts.get(name) ?? []), trial])
  }
  const tried = new Set(trials.map(({ scheme }) => FIELDS[scheme]))
  const unseen = Object.entries(credentials).filter(([field, value]) => value !== undefined && !tried.has(field))
  const checks = [
    ...[...parts].map(([name, own]) => ofTrials(name, own)),
    ...unseen.map(([field]) => {
      const why = field === 'ingestionKey' ? 'that would send lines' : 'no operation that only reads takes it'
      return note('credentials', field, `configured; not tried, since ${why}`)
    }),
    ...lacking.map(({ field, answers }) => {
      const what = `not configured, and requests without it are refused by ${answers}`
      return problem('credentials', field, what, `set credentials.${field}`)
    }),
  ]
  if (credentials.ingestionKey !== undefined) return checks
  const what = 'not configured: no lines are sent'
  return [...checks, note('credentials', 'ingestionKey', what, 'set credentials.ingestionKey')]
}

function ofTrials(name: string, trials: readonly Trial[]): Check {
  const good = trials.find(({ exchange }) => isSuccess(exchange))
  if (good) return ok('credentials', name, `accepted by ${answerOf(good)}`)
  const what = trials.map(answerOf).join(', ')
  if (!trials.every(({ exchange }) => isRefusal(exchange))) {
    return note('credentials', name, `not shown to work: ${what}`)
  }
  return problem('credentials', name, `refused by ${what}`, `correct credentials.${name.split(',')[0]}, or its rights`)
}

function answerOf({ operation, exchange }: Read): string {
  return `${operation.id} ${exchange._outcome === 'complete' ? exchange.response.status : exchange._outcome}`
}

/** Reads of the account that were tried, and in numbers the rest. */
function operationChecks({ reads }: Preflight, { binding, claimed }: DoctorInput): Check[] {
  const wanted = features().flatMap(({ id, operations }) => (claimed.has(id) ? operations : []))
  const bound = [...new Set(wanted)].map((id) => [id, binding.operations.get(id)] as const)
  const isBound = (operation: TargetOperation | undefined): boolean => operation !== undefined && operation.path !== ''
  const without = bound.filter(([, operation]) => !isBound(operation)).map(([id]) => id)
  const tried = new Set(reads.map(({ operation: { id } }) => id))
  const rest = bound.filter(([id, operation]) => isBound(operation) && operation?.offered === true && !tried.has(id))
  const checks = reads.map(ofRead)
  if (rest.length > 0)
    checks.push(note('operations', 'others', `${rest.length} more need what a run makes first, and were not tried`))
  const fix = '`assay bind --probe` finds them; or add their paths to the binding'
  if (without.length > 0) checks.push(note('operations', 'without a path', firstOf(without, MOST_NAMED), fix))
  return checks
}

function ofRead({ operation, exchange }: Read): Check {
  const { id, method, path, specified, places } = operation
  const what = `${method} ${path} returned ${exchange._outcome === 'complete' ? exchange.response.status : exchange._outcome}`
  if (isSuccess(exchange)) return ok('operations', id, what)
  if (isRefusal(exchange)) return problem('operations', id, what, 'look at the credentials above')
  if (![404, 405, 501].includes(exchange.response.status)) {
    return problem('operations', id, what, 'look into the log of the target')
  }
  const where = places?.offered?.replace(/\/offered$/, '') ?? 'the binding'
  const fix = specified
    ? 'the specification gives this path: claim fewer features, or mend the target'
    : `let \`assay bind --probe\` find it, or correct its path in ${where}, or set "offered": false there`
  return problem('operations', id, what, fix)
}

/** What each consent is for. */
const CONSENTS: Readonly<Record<keyof Consent, string>> = {
  modifyTarget: 'to create, change and delete what a run makes',
  exclusions: 'to make exclusion rules of its own, which act on the whole account',
  suspend: 'to suspend the ingestion of the account, and to resume it',
  archiving: 'to set up the archiving of the account, and to remove it',
  allowOwnerDeletion: 'to try to delete the owner of the account, which a faulty target would do',
  deleteListedResources: 'to delete what is listed under resources',
}

function consentChecks({ config: { consent = {}, resources }, cases, binding }: DoctorInput): Check[] {
  if (changesOf(cases, binding).length === 0) return []
  return (Object.keys(CONSENTS) as (keyof Consent)[]).flatMap((name): Check[] => {
    const what = CONSENTS[name]
    if (consent[name] === true) return [ok('consent', name, what)]
    if (name === 'deleteListedResources' && !listsThings(resources)) return []
    const lacking = name === 'modifyTarget' ? problem : note
    return [lacking('consent', name, `not given: ${what}`, `set consent.${name} to true if you agree`)]
  })
}

/** Whether anything is listed that a run could delete. */
function listsThings({ ownerEmail: _owner, ...things }: ListedResources = {}): boolean {
  return Object.values(things).some((ids) => ids !== undefined)
}

/** What has to be listed where the binding cannot make it. */
const LISTABLE: Readonly<Record<string, keyof ListedResources>> = {
  ...LISTED,
  screen: 'screenIds',
  exclusion: 'exclusionIds',
  member: 'memberEmails',
}

function resourceChecks({ binding, config: { resources = {} }, claimed }: DoctorInput): Check[] {
  const checks = Object.entries(LISTABLE).flatMap(([type, field]): Check[] => {
    const create = binding.resources.get(type)?.create
    if (binding.operations.get(create ?? '')?.offered === true) return []
    if (resources[field] !== undefined) return [ok('resources', field, 'listed')]
    const what = `the binding has no operation that makes a ${type.replaceAll('-', ' ')}, and none is listed`
    return [note('resources', field, what, `add the operation to the binding, or list one in resources.${field}`)]
  })
  if (resources.ownerEmail === undefined && claimed.has('member-removal')) {
    const what = 'not listed, so no run tries to delete the owner'
    checks.push(note('resources', 'ownerEmail', what, 'set resources.ownerEmail'))
  }
  return checks
}

/** What a run would do, and what of it would stay. */
function runChecks({ cases, binding, config }: DoctorInput): Check[] {
  if (config.readOnly === true) return [note('run', 'changes', 'none: the run is read-only')]
  const changes = changesOf(cases, binding)
  const stay = staying(cases, binding)
  const what = `${stay.join(', ')}: the binding has no operation that removes them`
  const fix = 'add these operations to the binding, or remove by hand what begins with assay-'
  return [
    note('run', 'changes', changes.length === 0 ? 'none' : `a run would ${changes.join('; ')}`),
    stay.length === 0
      ? ok('run', 'leaves behind', 'nothing: a run can remove all that it makes')
      : note('run', 'leaves behind', what, fix),
  ]
}

const MOST_NAMED = 8

/** The address of a proxy without the user and the password in it. */
function origin(proxy: string): string {
  return URL.canParse(proxy) ? new URL(proxy).origin : 'a proxy'
}
