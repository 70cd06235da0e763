import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  argumentsOf,
  type Block,
  blocksOf,
  type CommandLine,
  commandsOf,
  documents,
  readDocument,
} from './documents.ts'
import type { Running } from './program.ts'
import { FEW, type Stage, setUp } from './props.ts'
import type { World } from './world.ts'

/** Documents whose commands are tried with every change. Those of the others are a proof. */
export const DAILY: ReadonlySet<string> = new Set(['README.md'])

/** Addresses that stand for the reader's own target. */
const EXAMPLE_URLS = /http:\/\/127\.0\.0\.1:8080|https:\/\/logs\.example\.com/g
/** The configuration of the example that the tutorial certifies, whose server listens where this says. */
const EXAMPLE_CONFIG = 'examples/second-server/assay.config.json'
/** Verbs that go on until they are interrupted. */
const LASTING = ['serve', 'record', 'mock']

/** Paths of all documents with commands that are marked with `run`. */
export function documentsToRun(): string[] {
  return documents().filter((path) => runnable(path).length > 0)
}

export function runnable(path: string): Block[] {
  return blocksOf(path, readDocument(path)).filter(({ info }) => info === 'sh run' || info === 'diff run')
}

/** A command that ended otherwise than its document says. */
export interface Astray {
  readonly at: string
  readonly args: readonly string[]
  readonly code: number | null
  readonly said: string
}

/** Does in its order what a document says, beside a served reference, up to the first command that goes astray. */
export async function follow(path: string, world: World): Promise<Astray[]> {
  const target = await world.serve()
  const { accessToken = '', enterpriseServiceKey = '' } = target.credentials
  const env = { ASSAY_ACCESS_TOKEN: accessToken, ASSAY_ENTERPRISE_SERVICE_KEY: enterpriseServiceKey }
  const stage = { world, target, env }
  let server: Running | undefined
  for (const block of runnable(path)) {
    if (block.info === 'diff run') {
      await edit(block, stage)
      continue
    }
    for (const command of commandsOf(block)) {
      if (command.words[0] === 'node') {
        server?.child.kill()
        server = await startServer(command, stage)
        continue
      }
      const args = tried(command, target.url)
      await setUp(args, stage)
      const { code, said } = await run(args, stage)
      if (code !== command.code) return [{ at: command.at, args, code, said }]
      if (args[0] === 'init' && !args.includes('--url')) pointAt(join(world.folder, 'assay.config.json'), target.url)
    }
  }
  return []
}

/** Starts the server of an example on any port, and writes its address into the configuration that certifies it. */
async function startServer({ words }: CommandLine, stage: Stage): Promise<Running> {
  const [, program = ''] = words
  await setUp([program, EXAMPLE_CONFIG], stage)
  const server = stage.world.start([], { program: join(stage.world.folder, program), env: { PORT: '0' } })
  const [url] = await server.said(/http:[^,\s]+/)
  const path = join(stage.world.folder, EXAMPLE_CONFIG)
  writeFileSync(path, readFileSync(path, 'utf8').replace(/http:\/\/127\.0\.0\.1:\d+/, url))
  return server
}

/** Makes the change that a block of type `diff` shows. @throws where the old lines are not there once */
async function edit({ at, text }: Block, stage: Stage): Promise<void> {
  const lines = text.split('\n')
  const beginningWith = (sign: string): string =>
    lines
      .filter((line) => line.startsWith(sign) && !line.startsWith(sign.repeat(3)))
      .map((line) => line.slice(1))
      .join('\n')
  const file = lines[0]?.replace('--- ', '') ?? ''
  await setUp([file], stage)
  const path = join(stage.world.folder, file)
  const parts = readFileSync(path, 'utf8').split(beginningWith('-'))
  if (parts.length !== 2) throw new Error(`${at}: ${file} does not hold the old lines once`)
  writeFileSync(path, parts.join(beginningWith('+')))
}

/** The arguments of a command as they can be tried here: with this target, on any port, and certifying little. */
function tried(command: CommandLine, url: string): string[] {
  const args = (argumentsOf(command) ?? []).map((word) => word.replace(EXAMPLE_URLS, url))
  const [verb] = args
  if (verb === 'record' && !args.includes('--listen')) args.push('--listen', '127.0.0.1:0')
  const port = args.indexOf('--port')
  if (port > 0) args[port + 1] = '0'
  const chosen = ['--only', '--features', '--help', EXAMPLE_CONFIG].some((option) => args.includes(option))
  if (verb !== 'certify' || args.includes('--help')) return args
  return [...args, '--late-look', '100', ...(chosen ? [] : FEW)]
}

async function run(args: readonly string[], { world, env }: Stage): Promise<Pick<Astray, 'code' | 'said'>> {
  const command = world.start(args, { env })
  if (LASTING.includes(args[0] ?? '')) {
    const [said] = await command.said(/[\s\S]*Ctrl-C ends it/)
    if (args[0] === 'record') await pass(said, env)
    command.child.kill('SIGINT')
  }
  const { code, stdout, stderr } = await command.ended
  return { code, said: `${stdout}\n${stderr}` }
}

/** Lets one request pass a recorder, as a client would: an empty recording is nothing to go on with. */
async function pass(said: string, env: Stage['env']): Promise<void> {
  const [proxy = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? []
  await fetch(`${proxy}/v1/enterprise/keys`, {
    headers: { 'enterprise-servicekey': env.ASSAY_ENTERPRISE_SERVICE_KEY ?? '' },
  })
}

/** Does as the reader does: writes the address of the target into the configuration. @throws where it has none */
function pointAt(configuration: string, url: string): void {
  const text = readFileSync(configuration, 'utf8')
  if (!text.match(EXAMPLE_URLS)) throw new Error(`${configuration} names no address to replace`)
  writeFileSync(configuration, text.replaceAll(EXAMPLE_URLS, url))
}
