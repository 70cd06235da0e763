import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fingerprint, readPublicKey } from '../../engine/bundle/keys.ts'
import { Disagreement } from '../../engine/bundle/read.ts'
import { UsageError } from '../../engine/errors.ts'
import { type Verified, verifyBundle } from '../../engine/verify/verify-bundle.ts'
import { FileFault, requirePlain } from '../../fixtures/plain-file.ts'
import { plainJson } from '../../reports/inert.ts'
import { visible } from '../../reports/text.ts'
import { EXIT } from '../exit-codes.ts'
import { colorsFor, exitWith, type Io } from '../io.ts'

export interface VerifyOptions {
  readonly key?: string
  readonly json?: boolean
}

/** Checks a bundle. Ends with 0 where everything in it agrees, with 1 where something does not. @throws UsageError */
export async function runVerify(path: string, options: VerifyOptions, io: Io): Promise<void> {
  const file = resolve(io.cwd, path)
  try {
    requirePlain(file, 'given')
  } catch (thrown) {
    if (!(thrown instanceof FileFault)) throw thrown
    const hint = '`assay certify --bundle <file>` writes a bundle'
    throw new UsageError({ where: path, what: thrown.message, hint })
  }
  const key = options.key === undefined ? undefined : readPublicKey(options.key, io.cwd)
  const folder = mkdtempSync(join(tmpdir(), 'assay-verify-'))
  try {
    const verified = await verifyBundle(file, folder, key)
    const by = key && fingerprint(key)
    if (options.json === true) io.stdout.write(`${plainJson(asJson(verified, by))}\n`)
    else io.stdout.write(asText(verified, by, io))
    exitWith(io, EXIT.ok)
  } catch (error) {
    if (!(error instanceof Disagreement)) throw error
    const { where, message } = error
    if (options.json === true) io.stdout.write(`${plainJson({ verified: false, where, what: message })}\n`)
    else io.stdout.write(`${colorsFor(io).red('not verified:')} ${visible(`${where} ${message}`)}\n`)
    exitWith(io, EXIT.nonConformant)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const OTHER_STRENGTH =
  'note: made with another strength file: the counts of deliberate faults in the report are not those of this assay'

function asJson({ report, signed, sameStrength }: Verified, by: string | undefined): object {
  const { verdict, reason, target, suite, specification, seed, startedAt, requests } = report
  const signature = by === undefined ? (signed ? 'not checked' : 'none') : by
  return {
    verified: true,
    verdict,
    reason,
    target,
    suite,
    specification,
    seed,
    startedAt,
    requests,
    signature,
    sameStrength,
  }
}

function asText({ report, signed, sameStrength }: Verified, by: string | undefined, io: Io): string {
  const { bold, green, yellow } = colorsFor(io)
  const { target, requests, startedAt, seed } = report
  const name = [target.name, target.version].filter((part) => part !== '').join(' ') || target.baseUrl
  const signature =
    by !== undefined
      ? `signed by the key ${by}`
      : signed
        ? yellow('signed; the signature was not checked, for which --key names the public key')
        : yellow('not signed: whoever made it can have made all of it up')
  const lines = [
    `${green('verified:')} all verdicts follow from the evidence, and no file was changed`,
    signature,
    ...(sameStrength ? [] : [yellow(OTHER_STRENGTH)]),
    `${requests.toLocaleString('en-US')} requests, ${visible(startedAt)}, seed ${seed}`,
    bold(`${report.verdict}: ${visible(name)}${report.reason === '' ? '' : `: ${visible(report.reason)}`}`),
  ]
  return `${lines.join('\n')}\n`
}
