import { resolve } from 'node:path'
import type { Io } from '../../cli/io.ts'
import { readPem } from '../../fixtures/plain-file.ts'
import type { TargetOptions } from '../../proxy/forward/target.ts'
import type { BindingData } from '../../schemas/binding.ts'
import type { TargetConfig } from '../../schemas/types/config.ts'
import { loadBinding, NO_BINDING } from '../config/binding.ts'
import { loadConfig } from '../config/config.ts'
import { didYouMean } from '../config/nearest.ts'
import { type Problem, UsageError } from '../errors.ts'
import { portOption } from '../listening.ts'
import { LONGEST_TIMER_MS, type NumberBounds, numberOption } from '../options.ts'
import type { RecordOptions } from './options.ts'

export interface Address {
  readonly host: string
  readonly port: number
}

/** Everything that is known before the proxy listens. */
export interface RecordPlan {
  readonly config: TargetConfig
  readonly binding: BindingData
  readonly target: TargetOptions
  readonly listen: Address
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | undefined
  readonly out: string
  readonly mode: 'watch' | 'guard'
  readonly annotate: boolean
  readonly strict: boolean
  readonly maxBody: number
  readonly fullBodies: boolean
  readonly hideLines: boolean
  readonly keyFile: string | undefined
  /** port of the live page; undefined: none */
  readonly ui: number | undefined
  readonly compress: boolean
}

const MODES = ['watch', 'guard'] as const

/** @throws UsageError with every problem found */
export async function planRecord(options: RecordOptions, io: Io): Promise<RecordPlan> {
  const problems: Problem[] = []
  const number = (where: string, text: string, bounds: NumberBounds): number => {
    const value = numberOption(where, text, bounds)
    if (typeof value === 'number') return value
    problems.push(value)
    return bounds.least
  }
  const file = (where: string, path: string | undefined): Buffer | undefined => {
    if (path === undefined) return undefined
    try {
      return readPem(resolve(io.cwd, path))
    } catch (thrown) {
      problems.push({ where, what: `${path}: ${(thrown as Error).message}`, hint: 'name a PEM file' })
      return undefined
    }
  }
  const port = (where: string, text: string): number => {
    const value = portOption(where, text)
    if (typeof value === 'number') return value
    problems.push(value)
    return 0
  }

  const listen = addressIn(options.listen)
  if (!listen) {
    const what = `${JSON.stringify(options.listen)} is not an address and a port`
    problems.push({ where: '--listen', what, hint: 'such as 127.0.0.1:9000' })
  }
  const mode = MODES.find((name) => name === options.mode)
  if (mode === undefined) {
    const hint = didYouMean(options.mode, MODES, `choose ${MODES.join(' or ')}`)
    problems.push({ where: '--mode', what: `there is no mode ${JSON.stringify(options.mode)}`, hint })
  }
  const maxBody = number('--max-body', options.maxBody, { least: 0 })
  const timeoutMs = number('--timeout', options.timeout, { least: 1, most: LONGEST_TIMER_MS })
  const ui = options.ui === undefined ? undefined : options.ui === true ? 0 : port('--ui', options.ui)
  const cert = file('--tls-cert', options.tlsCert)
  const key = file('--tls-key', options.tlsKey)
  if ((options.tlsCert === undefined) !== (options.tlsKey === undefined)) {
    const missing = options.tlsCert === undefined ? '--tls-cert' : '--tls-key'
    problems.push({ where: missing, what: 'is missing', hint: 'certificate and key go together' })
  }
  const ca = file('--ca', options.ca)
  if (problems.length > 0 || !listen || mode === undefined) throw new UsageError(...problems)

  const config = await loadConfig(options.config, io.env, io.cwd, {
    baseUrl: options.target,
    binding: options.binding,
    strict: options.strict,
  })
  if (config.proxy !== undefined) {
    const hint = 'record reaches its target directly; leave `proxy` out'
    throw new UsageError({ where: 'proxy', what: 'a proxy on the way to the target is not supported here', hint })
  }
  if (isItself(listen, new URL(config.baseUrl))) {
    const hint = 'choose another --listen, or name the target behind it'
    throw new UsageError({ where: config.baseUrl, what: 'is the proxy itself', hint })
  }
  const tls = config.tls ?? {}
  return {
    config,
    binding: config.binding === undefined ? NO_BINDING : loadBinding(config.binding, io.cwd),
    target: {
      url: config.baseUrl,
      ca: ca ?? (tls.ca === undefined ? undefined : readPem(tls.ca)),
      cert: tls.cert === undefined ? undefined : readPem(tls.cert),
      key: tls.key === undefined ? undefined : readPem(tls.key),
      insecure: options.insecure === true || tls.insecure === true,
      keepHost: options.keepHost === true,
      timeoutMs,
    },
    listen,
    tls: cert && key ? { cert, key } : undefined,
    out: resolve(io.cwd, options.out),
    mode,
    annotate: options.annotate === true,
    strict: config.strict ?? false,
    maxBody,
    fullBodies: options.fullBodies === true,
    hideLines: options.hideLines === true,
    keyFile: options.keyFile === undefined ? undefined : resolve(io.cwd, options.keyFile),
    ui,
    compress: options.compress,
  }
}

/** `127.0.0.1:9000`, `[::1]:9000`, `localhost:9000` or a port alone, which means this machine. */
export function addressIn(text: string): Address | undefined {
  const [, bracketed, plain, digits] = /^(?:(?:\[([^\]]+)\]|([^:[\]]+)):)?(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  if (digits === undefined || port > 65_535) return undefined
  return { host: bracketed ?? plain ?? '127.0.0.1', port }
}

/** Whether only this machine can reach what listens there. */
export function isLoopback(host: string): boolean {
  return /^(127(\.\d+){3}|::1|localhost)$/i.test(host)
}

/** Whether a proxy that listens there would forward to itself for ever. */
function isItself(listen: Address, target: URL): boolean {
  const port = target.port === '' ? (target.protocol === 'https:' ? 443 : 80) : Number(target.port)
  const host = target.hostname.replace(/^\[(.*)\]$/, '$1')
  return listen.port !== 0 && listen.port === port && (isLoopback(host) || host === listen.host)
}
