import { didYouMean } from '../../engine/config/nearest.ts'
import { UsageError } from '../../engine/errors.ts'
import { listenProblem } from '../../engine/listening.ts'
import type { Fault } from '../../reference/faults/core/fault.ts'
import { type Reference, startReference } from '../../reference/server.ts'
import { type Io, printedAsJson } from '../terminal/io.ts'
import { untilInterrupted } from '../terminal/signals.ts'
import { table } from '../terminal/table.ts'

/** The options of `assay serve` as the command line gives them. */
export interface ServeWords {
  readonly port: number
  readonly host: string
  readonly fault?: readonly string[]
  readonly json?: boolean
}

/** What the reference answers by. */
const BINDING = 'reference'
/** In the place of a fault: prints all of them. */
const LIST = 'list'

/** Serves the reference until it is interrupted, or prints the faults that it can be served with. */
export async function runServe({ port, host, fault = [], json }: ServeWords, io: Io): Promise<void> {
  if (fault.includes(LIST)) {
    io.stdout.write(`${(await faultLines(io.columns)).join('\n')}\n`)
    return
  }
  // Most want none of them, and should not wait until all are made.
  const faults = fault.length === 0 ? [] : await faultsNamed(fault)
  const reference = await startReference({
    host,
    port,
    overlays: faults.map(({ name, changes }) => ({ name, ...changes })),
  }).catch((thrown: Error) => {
    throw new UsageError(listenProblem(thrown, `${host}:${port}`, { port: '--port', host: '--host' }))
  })
  const interrupted = untilInterrupted()
  const { url, credentials, resources } = reference
  if (!printedAsJson(io, json, { url, credentials, resources }))
    io.stdout.write(`${greeting(reference, faults, io.program).join('\n')}\n`)
  await interrupted
  await reference.close()
}

/** Each fault with the requirement that it breaks, and what it does. */
export async function faultLines(columns: number): Promise<string[]> {
  const { allFaults } = await import('../../reference/faults/index.ts')
  return table(
    allFaults().map(({ name, kills, about }) => [name, kills[0] ?? '', about]),
    columns,
  )
}

/** @throws UsageError with a line for each name that no fault has */
export async function faultsNamed(names: readonly string[]): Promise<Fault[]> {
  const { allFaults } = await import('../../reference/faults/index.ts')
  const known = new Map(allFaults().map((fault) => [fault.name, fault]))
  const hint = `\`assay serve --fault ${LIST}\` prints all of them`
  const unknown = names.filter((name) => !known.has(name))
  if (unknown.length > 0) {
    throw new UsageError(
      ...unknown.map((name) => ({
        where: '--fault',
        what: `there is no fault ${JSON.stringify(name)}`,
        hint: didYouMean(name, known.keys(), hint),
      })),
    )
  }
  return names.flatMap((name) => known.get(name) ?? [])
}

function greeting({ url, credentials, resources }: Reference, faults: readonly Fault[], program: string): string[] {
  const rows = Object.entries({ ...credentials, ...resources }).map(
    ([name, value]) =>
      `  ${name.padEnd(22)}${Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return [
    `The reference target listens on ${url}`,
    ...rows,
    ...faults.map(({ name, about, kills }) => `With the fault ${name}: ${about}. That breaks ${kills[0]}.`),
    `It answers by the binding ${JSON.stringify(BINDING)}.`,
    `next: ${program} record --target ${url} --binding ${BINDING}`,
    'Ctrl-C ends it.',
  ]
}
