import { resolve } from 'node:path'
import { didYouMean } from '../../engine/config/nearest.ts'
import { type Problem, UsageError } from '../../engine/errors.ts'
import { type Address, portOption } from '../../engine/listening.ts'
import { LONGEST_TIMER_MS, type NumberBounds, numberOption } from '../../engine/options.ts'
import { RECORD_MODES, type RecordOptions } from '../../engine/record/plan.ts'
import { readPem } from '../../fixtures/plain-file.ts'
import type { Io } from '../terminal/io.ts'

/** The options of `assay record` as the command line gives them. */
export interface RecordWords {
  readonly target?: string
  readonly listen: string
  readonly out: string
  readonly config?: string
  readonly binding?: string
  readonly mode: string
  readonly annotate?: boolean
  readonly strict?: boolean
  readonly maxBody: string
  readonly fullBodies?: boolean
  readonly keep?: 'texts'
  readonly keyFile?: string
  readonly timeout: string
  readonly keepHost?: boolean
  readonly insecure?: boolean
  readonly ca?: string
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly ui?: string | true
  readonly compress: boolean
  readonly json?: boolean
}

/** @throws UsageError with every problem found */
export function recordOptions(words: RecordWords, io: Io): RecordOptions {
  const problems: Problem[] = []
  const taken = <T>(found: T | Problem, otherwise: T): T => {
    if (typeof found !== 'object' || found === null || !('what' in found)) return found as T
    problems.push(found)
    return otherwise
  }
  const number = (where: string, text: string, bounds: NumberBounds): number =>
    taken(numberOption(where, text, bounds), bounds.least)
  const file = (where: string, path: string | undefined): Buffer | undefined =>
    path === undefined ? undefined : taken<Buffer | undefined>(pemIn(where, path, io.cwd), undefined)

  const listen = taken<Address | undefined>(addressOption(words.listen), undefined)
  const mode = RECORD_MODES.find((name) => name === words.mode)
  if (mode === undefined) {
    const hint = didYouMean(words.mode, RECORD_MODES, `choose ${RECORD_MODES.join(' or ')}`)
    problems.push({ where: '--mode', what: `there is no mode ${JSON.stringify(words.mode)}`, hint })
  }
  const maxBody = number('--max-body', words.maxBody, { least: 0 })
  const timeoutMs = number('--timeout', words.timeout, { least: 1, most: LONGEST_TIMER_MS })
  const ui = typeof words.ui === 'string' ? taken(portOption('--ui', words.ui), 0) : words.ui && 0
  const cert = file('--tls-cert', words.tlsCert)
  const key = file('--tls-key', words.tlsKey)
  if ((words.tlsCert === undefined) !== (words.tlsKey === undefined)) {
    const missing = words.tlsCert === undefined ? '--tls-cert' : '--tls-key'
    problems.push({ where: missing, what: 'is missing', hint: 'certificate and key go together' })
  }
  const ca = file('--ca', words.ca)
  if (problems.length > 0 || !listen || mode === undefined) throw new UsageError(...problems)
  return {
    ...{ target: words.target, config: words.config, binding: words.binding, strict: words.strict },
    ...{ listen, mode, maxBody, timeoutMs, ui, ca },
    ...{ out: words.out, keyFile: words.keyFile, compress: words.compress },
    tls: cert && key ? { cert, key } : undefined,
    insecure: words.insecure === true,
    keepHost: words.keepHost === true,
    annotate: words.annotate === true,
    fullBodies: words.fullBodies === true,
    keepTexts: words.keep === 'texts',
  }
}

function pemIn(where: string, path: string, cwd: string): Buffer | Problem {
  try {
    return readPem(resolve(cwd, path))
  } catch (thrown) {
    return { where, what: `${path}: ${(thrown as Error).message}`, hint: 'name a PEM file' }
  }
}

function addressOption(text: string): Address | Problem {
  const what = `${JSON.stringify(text)} is not an address and a port`
  return addressIn(text) ?? { where: '--listen', what, hint: 'such as 127.0.0.1:9000' }
}

/** `127.0.0.1:9000`, `[::1]:9000`, `localhost:9000` or a port alone, which means this machine. */
export function addressIn(text: string): Address | undefined {
  const [, bracketed, plain, digits] = /^(?:(?:\[([^\]]+)\]|([^:[\]]+)):)?(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  if (digits === undefined || port > 65_535) return undefined
  return { host: bracketed ?? plain ?? '127.0.0.1', port }
}
