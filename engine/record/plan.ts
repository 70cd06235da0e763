import { createPrivateKey, X509Certificate } from 'node:crypto'
import { resolve } from 'node:path'
import { readPem } from '../../fixtures/plain-file.ts'
import type { TargetOptions } from '../../proxy/forward/target.ts'
import type { BindingData } from '../../schemas/binding.ts'
import type { Keep, TargetConfig } from '../../schemas/types/config.ts'
import type { Caller } from '../caller.ts'
import { givenBinding } from '../config/chosen-binding.ts'
import { loadConfig } from '../config/config.ts'
import { findConfig } from '../config/config-file.ts'
import { UsageError } from '../errors.ts'
import { type Address, isLoopback } from '../listening.ts'
import { bindingFor, bindingInWords } from '../recordings/recorded-binding.ts'

/** What is recorded, and how: the options of the command line. */
export interface RecordOptions {
  /** base URL; left out: the configuration names it */
  readonly target?: string
  /** path of the configuration; left out: the one of the folder */
  readonly config?: string
  /** name or path of a binding; wins over the configuration */
  readonly binding?: string
  readonly listen: Address
  /** certificate that the proxy shows to its clients, and its key; left out: it speaks HTTP */
  readonly tlsCert?: Buffer
  readonly tlsKey?: Buffer
  /** certificates that vouch for the target */
  readonly ca?: Buffer
  readonly insecure?: boolean
  readonly keepHost?: boolean
  /** milliseconds without a byte from the target before it is given up */
  readonly timeout: number
  readonly out: string
  /** watch: only write down; guard: refuse what does not conform, both ways */
  readonly mode: 'watch' | 'guard'
  /** name what a request breaks in a header field of its answer */
  readonly annotate?: boolean
  /** left out: as the configuration says */
  readonly strict?: boolean
  readonly maxBody: number
  readonly fullBodies?: boolean
  /** left out: as the configuration says */
  readonly keep?: Keep
  readonly keyFile?: string
  /** port of the live page; true: any free one */
  readonly ui?: number | true
  readonly compress: boolean
}

/** Everything that is known before the proxy listens. Paths are whole. */
export interface RecordPlan extends Pick<RecordOptions, 'listen' | 'out' | 'mode' | 'maxBody' | 'compress'> {
  readonly config: TargetConfig
  readonly binding: BindingData
  /** which binding that is, and where it comes from */
  readonly read: string
  readonly target: TargetOptions
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | undefined
  readonly annotate: boolean
  readonly strict: boolean
  readonly fullBodies: boolean
  readonly keep: Keep
  readonly keyFile: string | undefined
  readonly ui: number | undefined
}

/** Reads the configuration, and the files that it names. @throws UsageError */
export async function planRecord(options: RecordOptions, caller: Caller): Promise<RecordPlan> {
  const { target, config: path, binding, ca, tlsCert: cert, tlsKey: key } = options
  if ((cert === undefined) !== (key === undefined)) {
    const where = cert === undefined ? '--tls-cert' : '--tls-key'
    throw new UsageError({ where, what: 'is missing', hint: 'certificate and key go together' })
  }
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
  requireFit({ cert, key }, '--tls-key')
  requireFit(shown, tls.key ?? '')
  return {
    ...options,
    config,
    binding: found.data,
    read: bindingInWords(found),
    target: {
      url: config.baseUrl,
      ca: ca ?? pem(tls.ca),
      ...shown,
      insecure: options.insecure === true || tls.insecure === true,
      keepHost: options.keepHost === true,
      timeoutMs: options.timeout,
    },
    out,
    tls: cert && key && { cert, key },
    annotate: options.annotate === true,
    strict: config.strict ?? false,
    fullBodies: options.fullBodies === true,
    keep: options.keep ?? config.keep ?? 'named',
    ui: options.ui === true ? 0 : options.ui,
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
