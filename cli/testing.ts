import { run } from './program.ts'
import type { Io } from './terminal/io.ts'

/** A world for tests: output is kept as text. */
export interface FakeIo extends Io {
  out(): string
  err(): string
}

type Given = Partial<Pick<Io, 'env' | 'cwd' | 'program' | 'isTty' | 'columns'>>

export function fakeIo(given: Given = {}): FakeIo {
  const out: string[] = []
  const err: string[] = []
  const isTty = given.isTty ?? false
  return {
    stdout: { write: (text) => out.push(text), isTTY: isTty },
    stderr: { write: (text) => err.push(text), isTTY: isTty },
    env: given.env ?? {},
    cwd: given.cwd ?? '/nowhere',
    program: given.program ?? 'npx assay',
    isTty,
    columns: given.columns ?? 80,
    exitCode: 0,
    out: () => out.join(''),
    err: () => err.join(''),
  }
}

/** What a command said that ran within this process, to its end. */
export interface Said {
  readonly code: number
  readonly out: string
  readonly err: string
}

export async function ran(args: readonly string[], given: Given = {}): Promise<Said> {
  const io = fakeIo(given)
  const code = await run(args, io)
  return { code, out: io.out(), err: io.err() }
}
