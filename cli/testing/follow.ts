import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Block, blocksOf, type CommandLine, commandsOf, documents, readDocument } from './documents.ts'
import { FEW, type Stage, setUp } from './props.ts'
import type { World } from './world.ts'

/** Documents whose commands are tried with every change. Those of the others take longer and are a proof. */
export const DAILY: ReadonlySet<string> = new Set(['README.md', 'docs/record.md', 'docs/mock.md', 'docs/openapi.md'])

/** Addresses that stand for the reader's own target. */
const EXAMPLE_URLS = /http:\/\/127\.0\.0\.1:8080|https:\/\/logs\.example\.com/g
/** Verbs that go on until they are interrupted. */
const LASTING = ['serve', 'record', 'mock']

/** Paths of all documents with commands that are marked with `run`. */
export function documentsToRun(): string[] {
  return documents().filter((path) => runnable(path).length > 0)
}

export function runnable(path: string): Block[] {
  return blocksOf(path, readDocument(path)).filter(({ info }) => info === 'sh run')
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
  for (const command of runnable(path).flatMap(commandsOf)) {
    const args = tried(command, target.url)
    await setUp(args, stage)
    const { code, said } = await run(args, stage)
    if (code !== command.code) return [{ at: command.at, args, code, said }]
    if (args[0] === 'init' && !args.includes('--url')) pointAt(join(world.folder, 'assay.config.ts'), target.url)
  }
  return []
}

/** The arguments of a command as they can be tried here: with this target, on any port, and certifying little. */
function tried({ words }: CommandLine, url: string): string[] {
  const args = words.slice(1).map((word) => word.replace(EXAMPLE_URLS, url))
  const [verb] = args
  if (verb === 'record' && !args.includes('--listen')) args.push('--listen', '127.0.0.1:0')
  const port = args.indexOf('--port')
  if (port > 0) args[port + 1] = '0'
  const chosen = ['--only', '--features', '--help'].some((option) => args.includes(option))
  return verb === 'certify' && !chosen ? [...args, ...FEW] : args
}

async function run(args: readonly string[], { world, env }: Stage): Promise<Pick<Astray, 'code' | 'said'>> {
  const command = world.start(args, { env })
  if (LASTING.includes(args[0] ?? '')) {
    await command.said(/Ctrl-C ends it/)
    command.child.kill('SIGINT')
  }
  const { code, stdout, stderr } = await command.ended
  return { code, said: `${stdout}\n${stderr}` }
}

/** Does what the reader is told to do: writes the address of the target into the configuration. @throws where it has none */
function pointAt(configuration: string, url: string): void {
  const text = readFileSync(configuration, 'utf8')
  if (!text.match(EXAMPLE_URLS)) throw new Error(`${configuration} names no address to replace`)
  writeFileSync(configuration, text.replaceAll(EXAMPLE_URLS, url))
}
