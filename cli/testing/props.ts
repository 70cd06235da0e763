import { generateKeyPairSync } from 'node:crypto'
import { cpSync, existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JournalHeader } from '../../schemas/types/journal.ts'
import { ALL_CONSENT, configOf, type Served, type World } from './world.ts'

const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url))
const SHIPPED = fileURLToPath(new URL('../../fixtures/recorded/embedded', import.meta.url))

/** Features that are certified at once, so that trying out a document does not take minutes. */
export const FEW: readonly string[] = '--profile quick --features enterprise-keys member-removal screens'.split(' ')

/** What a command needs to be started with: the target, and what makes things with assay itself. */
export interface Stage {
  readonly world: World
  readonly target: Served
  readonly env: Readonly<Record<string, string>>
}

/** Makes a thing that a document takes for granted. */
type Prop = (path: string, stage: Stage) => void | Promise<void>

/** The files and folders that documents speak of, in the forms in which they name them. */
const PROPS: readonly (readonly [RegExp, Prop])[] = [
  [/^assay\.config\.json$/, (path, stage) => configure(path, stage)],
  [/^known-failures\.json$/, (path, { world }) => void world.write(path, { formatVersion: 1, failures: [] })],
  [
    /^examples\/second-server\//,
    (_, { world }) => cpSync(EXAMPLES, join(world.folder, 'examples'), { recursive: true }),
  ],
  [/^recording$/, (path, { world }) => cpSync(SHIPPED, join(world.folder, path), { recursive: true })],
  [/^recordings\/\w+$/, (path, stage) => certified(stage, 'recorded-run', '--record', path)],
  [/\.har$/, (path, stage) => made(stage, 'fixtures', 'export', SHIPPED, '--out', path)],
  [/^(key|public)\.pem$/, (_, { world }) => keys(world)],
  [/journal-.*\.ndjson$/, (path, { world, target }) => void world.write(path, `${JSON.stringify(header(target))}\n`)],
  [/^(main|before|assay-report)\/(report\.json|evidence)$/, (path, stage) => certified(stage, dirname(path))],
  [/^claim\.tgz$/, (path, stage) => certified(stage, 'claimed', '--bundle', path)],
]

const CONFIGURATIONS = ['assay.config.json', 'assay.config.ts']

/** Makes what a command reads and nobody has made yet. @throws where making it fails */
export async function setUp(args: readonly string[], stage: Stage): Promise<void> {
  const { world } = stage
  const asks = ['certify', 'replay'].includes(args[0] ?? '') && !args.includes('--embedded')
  const configured = CONFIGURATIONS.some((name) => existsSync(join(world.folder, name)))
  if (asks && !configured) configure('assay.config.json', stage)
  for (const [index, word] of args.entries()) {
    const isWritten = /^--(out|bundle|record)$/.test(args[index - 1] ?? '')
    if (isWritten || existsSync(join(world.folder, word))) continue
    await PROPS.find(([pattern]) => pattern.test(word))?.[1](word, stage)
  }
}

/** Agrees to everything: the target is one for tests. */
function configure(path: string, { world, target }: Stage): void {
  world.write(path, configOf(target, { consent: ALL_CONSENT }))
}

async function made({ world, env }: Stage, ...args: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await world.assay(args, { env })
  if (code !== 0) throw new Error(`assay ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`)
}

function certified(stage: Stage, out: string, ...more: readonly string[]): Promise<void> {
  return made(stage, 'certify', '--embedded', '--late-look', '100', ...FEW, '--out', out, ...more)
}

function keys(world: World): void {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  world.write('key.pem', String(privateKey.export({ type: 'pkcs8', format: 'pem' })))
  world.write('public.pem', String(publicKey.export({ type: 'spki', format: 'pem' })))
}

/** Of a run that had nothing left to remove. */
function header({ url }: Served): JournalHeader {
  const startedAt = new Date(0).toISOString()
  return { type: 'run', formatVersion: 1, baseUrl: url, binding: 'reference', prefix: 'assay-1a2b3c', startedAt }
}
