import { fingerprint, readPublicKey } from '../../engine/bundle/keys.ts'
import { type Verified, verify } from '../../engine/verify/verify.ts'
import { targetName } from '../../reports/build.ts'
import { number } from '../../reports/counted.ts'
import { visible } from '../../reports/text.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { colorsFor, type Io, printedAsJson } from '../terminal/io.ts'

export interface VerifyOptions {
  readonly key?: string
  readonly json?: boolean
}

/** Checks a bundle. Ends with 0 where everything in it agrees, with 1 where something does not. @throws UsageError */
export async function runVerify(path: string, options: VerifyOptions, io: Io): Promise<void> {
  const key = options.key === undefined ? undefined : readPublicKey(options.key, io.cwd)
  const found = await verify(path, io.cwd, key)
  const by = key && fingerprint(key)
  const isPrinted = printedAsJson(io, options.json, found.verified ? asJson(found, by) : found)
  if (!isPrinted && found.verified) io.stdout.write(asText(found, by, io))
  if (!isPrinted && !found.verified)
    io.stdout.write(`${colorsFor(io).red('not verified:')} ${visible(`${found.where} ${found.what}`)}\n`)
  io.exitCode = found.verified ? EXIT.ok : EXIT.nonConformant
}

const OTHER_STRENGTH =
  'note: made with another strength file: the report counts deliberate faults differently from this assay'

/** What of the report a program gets. */
const TOLD = ['verdict', 'reason', 'target', 'suite', 'specification', 'seed', 'startedAt', 'requests'] as const

function asJson({ report, signed, sameStrength }: Verified, by: string | undefined): object {
  const told = Object.fromEntries(TOLD.map((name) => [name, report[name]]))
  return { verified: true, ...told, signature: by ?? (signed ? 'not checked' : 'none'), sameStrength }
}

function asText({ report, signed, sameStrength }: Verified, by: string | undefined, io: Io): string {
  const { bold, green, yellow } = colorsFor(io)
  const { target, requests, startedAt, seed } = report
  const name = targetName(target) || target.baseUrl
  const signature =
    by !== undefined
      ? `signed by the key ${by}`
      : signed
        ? yellow('signed; the signature was not checked, for which --key names the public key')
        : yellow('not signed: its maker may have invented everything')
  const lines = [
    `${green('verified:')} all verdicts follow from the evidence, and no file was changed`,
    signature,
    ...(sameStrength ? [] : [yellow(OTHER_STRENGTH)]),
    `${number(requests)} requests, ${visible(startedAt)}, seed ${seed}`,
    bold(`${report.verdict}: ${visible(name)}${report.reason === '' ? '' : `: ${visible(report.reason)}`}`),
  ]
  return `${lines.join('\n')}\n`
}
