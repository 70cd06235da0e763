import { createPrivateKey, X509Certificate } from 'node:crypto'
import { resolve } from 'node:path'
import { readPem } from '../../fixtures/plain-file.ts'
import type { TargetOptions } from '../../proxy/forward/target.ts'
import type { BindingData } from '../../schemas/binding.ts'
import type { TargetConfig } from '../../schemas/types/config.ts'
import type { Caller } from '../caller.ts'
import { loadConfig } from '../config/config.ts'
import { findConfig } from '../config/config-file.ts'
import { UsageError } from '../errors.ts'
import { type Address, isLoopback } from '../listening.ts'
import { bindingFor, bindingInWords, givenBinding } from '../recordings/recorded-binding.ts'

export const RECORD_MODES = ['watch', 'guard'] as const

/** What is recorded, and how. */
export interface RecordOptions {
  /** base URL; undefined: the configuration names it */
  readonly target: string | undefined
  /** path of the configuration; undefined: the one of the folder */
  readonly config: string | undefined
  /** name or path of a binding; wins over the configuration */
  readonly binding: string | undefined
  readonly listen: Address
  /** what the proxy shows to its clients; undefined: it speaks HTTP */
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | undefined
  /** certificates that vouch for the target */
  readonly ca: Buffer | undefined
  readonly insecure: boolean
  readonly keepHost: boolean
  /** milliseconds without a byte from the target before it is given up */
  readonly timeoutMs: number
  readonly out: string
  /** watch: only write down; guard: refuse what does not conform, both ways */
  readonly mode: (typeof RECORD_MODES)[number]
  /** name what a request breaks in a header field of its answer */
  readonly annotate: boolean
  /** undefined: as the configuration says */
  readonly strict: boolean | undefined
  readonly maxBody: number
  readonly fullBodies: boolean
  readonly keepTexts: boolean
  readonly keyFile: string | undefined
  /** port of the live page; undefined: none */
  readonly ui: number | undefined
  readonly compress: boolean
}

/** Everything that is known before the proxy listens. Paths are whole. */
export interface RecordPlan
  extends Omit<
    RecordOptions,
    'target' | 'config' | 'binding' | 'ca' | 'insecure' | 'keepHost' | 'timeoutMs' | 'strict'
  > {
  readonly config: TargetConfig
  readonly binding: BindingData
  /** which binding that is, and where it comes from */
  readonly read: string
  readonly target: TargetOptions
  readonly strict: boolean
}

/** Reads the configuration, and the files that it names. @throws UsageError */
export async function planRecord(options: RecordOptions, caller: Caller): Promise<RecordPlan> {
  const { target, config: path, binding, ca, insecure, keepHost, timeoutMs, ...rest } = options
  const config = await loadConfig(path, caller.env, caller.cwd, { baseUrl: target, binding, strict: options.strict })
  if (config.proxy !== undefined) {
    const hint = 'record reaches its target directly; remove `proxy`'
    throw new UsageError({ where: 'proxy', what: 'a proxy on the way to the target is not supported here', hint })
  }
  if (isItself(options.listen, new URL(config.baseUrl))) {
    const hint = 'choose another --listen, or name the target behind it'
    throw new UsageError({ where: config.baseUrl, what: 'is the proxy itself', hint })
  }
  const out = resolve(caller.cwd, options.out)
  // A recording that is continued goes on with the binding that it carries.
  const continued = { path: out, folder: out, kind: 'segments', about: undefined } as const
  const found = bindingFor([continued], await givenBinding({ binding, config: findConfig(path, caller.cwd) }, caller))
  const tls = config.tls ?? {}
  const pem = (file: string | undefined): Buffer | undefined => (file === undefined ? undefined : readPem(file))
  const shown = { cert: pem(tls.cert), key: pem(tls.key) }
  requireFit(options.tls, '--tls-key')
  requireFit(shown, tls.key ?? '')
  return {
    ...rest,
    config,
    binding: found.data,
    read: bindingInWords(found),
    target: {
      url: config.baseUrl,
      ca: ca ?? pem(tls.ca),
      ...shown,
      insecure: insecure || tls.insecure === true,
      keepHost,
      timeoutMs,
    },
    out,
    strict: config.strict ?? false,
    keyFile: options.keyFile === undefined ? undefined : resolve(caller.cwd, options.keyFile),
  }
}

/** Without this check the first connection would tell it. @throws UsageError */
function requireFit(
  tls: { readonly cert?: Buffer | undefined; readonly key?: Buffer | undefined } = {},
  where: string,
): void {
  const { cert, key } = tls
  if (cert === undefined || key === undefined) return
  const hint = 'name the certificate and the private key that belongs to it, in PEM and without a passphrase'
  let fits: boolean
  try {
    fits = new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))
  } catch {
    throw new UsageError({ where, what: 'the key, or its certificate, cannot be read', hint })
  }
  if (!fits) throw new UsageError({ where, what: 'the key does not fit the certificate', hint })
}

/** Whether a proxy that listens there would forward to itself for ever. */
function isItself(listen: Address, target: URL): boolean {
  const port = target.port === '' ? (target.protocol === 'https:' ? 443 : 80) : Number(target.port)
  const host = target.hostname.replace(/^\[(.*)\]$/, '$1')
  return listen.port !== 0 && listen.port === port && (isLoopback(host) || host === listen.host)
}
