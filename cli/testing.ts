import type { Io } from './terminal/io.ts'

/** A world for tests: output is kept as text. */
export interface FakeIo extends Io {
  out(): string
  err(): string
}

export function fakeIo(given: Partial<Pick<Io, 'env' | 'cwd' | 'program' | 'isTty' | 'columns'>> = {}): FakeIo {
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
