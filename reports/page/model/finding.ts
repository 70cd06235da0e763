import type { Finding, FindingExchange, RequirementResult } from '../../../schemas/types/report.ts'
import { type About, answerOf, changeOf } from '../../shown-exchange.ts'
import { childPointer, type TreeNode } from './json-text.ts'
import { VERDICT_ORDER } from './words.ts'

/** The two requests that tell what a finding is about. */
export interface Sides {
  /** the same request with a good value, where the finding has one: the one closest in time */
  readonly control: FindingExchange | undefined
  readonly deciding: FindingExchange | undefined
  /** what the deciding one, a read, shows or should show */
  readonly change: FindingExchange | undefined
}

export function sidesOf({ exchanges, operation }: About): Sides {
  const deciding = exchanges.findLast(({ role }) => role === 'deciding') ?? exchanges.at(-1)
  const controls = exchanges.filter((one) => one !== deciding && one.role === 'control')
  const distance = (one: FindingExchange): number => Math.abs(startOf(one) - startOf(deciding ?? one)) || 0
  const [control] = controls.sort((a, b) => distance(a) - distance(b))
  return { control, deciding, change: changeOf({ exchanges, operation }) }
}

/** What an exchange was for, in a word. */
export function roleOf(exchange: FindingExchange, { deciding, change }: Sides): string {
  if (exchange === deciding) return 'decides'
  if (exchange === change) return 'the change'
  if (['control', 'setup', 'parallel', 'step', 'page'].includes(exchange.role)) return exchange.role
  return deciding && startOf(exchange) > startOf(deciding) ? 'later' : 'earlier'
}

/** An exchange on a common axis of time. */
export interface Timed {
  readonly exchange: FindingExchange
  /** milliseconds after the first of them began that prepared nothing; undefined where a report does not know times */
  readonly offsetMs: number | undefined
  readonly ms: number | undefined
  /** 'A', 'B', …: of those that were under way at the same time, whose it was; '' for all others */
  readonly client: string
}

/** The exchanges of a finding by time, each once, and how long all of them took together. */
export function timelineOf(exchanges: readonly FindingExchange[]): {
  readonly steps: readonly Timed[]
  readonly spanMs: number
} {
  const once = [...new Map(exchanges.map((exchange) => [exchange.id, exchange])).values()]
  const known = once.every((exchange) => !Number.isNaN(startOf(exchange)))
  const sorted = known ? once.sort((a, b) => startOf(a) - startOf(b)) : once
  // What was prepared long before would push the rest together.
  const about = sorted.some(isAbout) ? sorted.filter(isAbout) : sorted
  const first = Math.min(...about.map(startOf).filter((start) => !Number.isNaN(start)))
  const clients = clientsOf(sorted)
  let spanMs = 0
  const steps = sorted.map((exchange, index) => {
    const start = startOf(exchange)
    const offsetMs = Number.isNaN(start) ? undefined : start - first
    if (offsetMs !== undefined) spanMs = Math.max(spanMs, offsetMs + (exchange.ms ?? 0))
    return { exchange, offsetMs, ms: exchange.ms, client: clients[index] ?? '' }
  })
  return { steps, spanMs }
}

function isAbout({ role }: FindingExchange): boolean {
  return role !== 'setup'
}

/** Starts are known to the millisecond: what overlaps by less may have come one after the other. */
const ROUNDED_MS = 1

/** Nobody waits for an answer and sends the next request meanwhile: overlapping requests come from several. */
function clientsOf(sorted: readonly FindingExchange[]): string[] {
  const spans = sorted.map((exchange) => ({ from: startOf(exchange), to: startOf(exchange) + (exchange.ms ?? 0) }))
  const busy: number[] = []
  return spans.map((span, index) => {
    const overlaps = spans.some(
      (other, place) => place !== index && other.from + ROUNDED_MS < span.to && span.from + ROUNDED_MS < other.to,
    )
    if (!overlaps) return ''
    const free = busy.findIndex((until) => until <= span.from)
    const lane = free < 0 ? busy.length : free
    busy[lane] = span.to
    return String.fromCharCode(65 + (lane % 26))
  })
}

function startOf({ startedAt }: FindingExchange): number {
  return startedAt === undefined ? Number.NaN : Date.parse(startedAt)
}

/** What was known when a step was taken, in sentences: what the steps before it showed. */
export function knownAt(steps: readonly Timed[], index: number, sides: Sides): string[] {
  const now = steps[index]?.offsetMs
  return steps.slice(0, index).map(({ exchange, offsetMs, ms, client }) => {
    const ended = offsetMs === undefined ? undefined : offsetMs + (ms ?? 0)
    const answer = answerOf(exchange)
    const what = `${exchange.method} ${pathOf(exchange.url)}`
    if (now !== undefined && ended !== undefined && ended > now) {
      return `${client === '' ? '' : `${client}: `}${what} was under way.`
    }
    const whose = KNOWN[roleOf(exchange, sides)] ?? 'Before it'
    return `${whose}: ${what} had got ${answer}.`
  })
}

const KNOWN: Readonly<Record<string, string>> = {
  control: 'The same request with the good value',
  'the change': 'The change',
  setup: 'To prepare it',
  parallel: 'Of another client',
  page: 'A page before',
}

/** The path and query of a URL; the whole where it is none. */
export function pathOf(url: string): string {
  const match = /^[a-z]+:\/\/[^/?#]*(.*)$/is.exec(url)
  return match ? match[1] || '/' : url
}

/** An exchange, and everything that it shows to be broken. */
export interface BrokenExchange {
  readonly exchange: FindingExchange
  readonly breaks: readonly { readonly result: RequirementResult; readonly finding: Finding }[]
}

/** The exchanges that decided something broken: those with the heaviest verdict first, then by time. */
export function brokenExchanges(results: readonly RequirementResult[]): BrokenExchange[] {
  const found = new Map<string, { exchange: FindingExchange; breaks: BrokenExchange['breaks'][number][] }>()
  for (const result of results) {
    for (const finding of result.findings) {
      const { deciding: exchange } = sidesOf(finding)
      if (!exchange) continue
      const known = found.get(exchange.id) ?? { exchange, breaks: [] }
      found.set(exchange.id, known)
      known.breaks.push({ result, finding })
    }
  }
  const weight = ({ breaks }: BrokenExchange): number =>
    Math.min(...breaks.map(({ result }) => VERDICT_ORDER.indexOf(result.verdict)))
  const start = ({ exchange }: BrokenExchange): string => exchange.startedAt ?? exchange.id
  return [...found.values()].sort((a, b) => weight(a) - weight(b) || (start(a) < start(b) ? -1 : 1))
}

const MOST_PLACES = 20
/** Shorter texts stand in too many places by chance. */
const LEAST_VALUE = 8

/**
 * The places in a body that a finding is about: those that its pointer names, of several those whose value it tells.
 * Without a pointer, the values that expected and actual tell, such as the id of what should be gone.
 */
export function decidingPlaces(root: TreeNode, { pointer, expected, actual }: Finding): string[] {
  const told = `${actual}\n${expected}`
  const named: string[] = []
  const valued: string[] = []
  const walk = (node: TreeNode, at: string): void => {
    const isNamed = pointer !== '' && at.endsWith(pointer)
    const value = node.value?.replaceAll(/^"|"$/g, '') ?? ''
    const isTold = value !== '' && told.includes(value)
    if (isNamed) named.push(at)
    if (isTold && (isNamed || (pointer === '' && value.length >= LEAST_VALUE))) valued.push(at)
    for (const [index, child] of node.children.entries()) walk(child, childPointer(at, child, index))
  }
  walk(root, '')
  return (valued.length > 0 ? valued : named).slice(0, MOST_PLACES)
}

/** A finding as a HAR file: the exchanges behind it, in their order. */
export function harOf({ exchanges }: Finding, creator: { readonly name: string; readonly version: string }): object {
  const entries = exchanges.map(({ id, method, url, requestBody, status, responseBody, startedAt, ms = 0 }) => ({
    _id: id,
    startedDateTime: startedAt ?? new Date(0).toISOString(),
    time: ms,
    request: {
      ...{ method, url, httpVersion: 'HTTP/1.1', cookies: [], headers: [], queryString: [], headersSize: -1 },
      bodySize: requestBody.length,
      ...(requestBody === '' ? {} : { postData: { mimeType: 'application/json', text: requestBody } }),
    },
    response: {
      ...{
        status,
        statusText: '',
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: [],
        redirectURL: '',
        headersSize: -1,
      },
      bodySize: responseBody.length,
      content: { size: responseBody.length, mimeType: 'application/json', text: responseBody },
    },
    cache: {},
    timings: { send: 0, wait: ms, receive: 0 },
  }))
  return { log: { version: '1.2', creator, entries } }
}
