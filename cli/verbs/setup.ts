import type { CleanupOptions } from '../../engine/cleanup/cleanup.ts'
import { RUN_NUMBERS } from '../../engine/options.ts'
import type { DoctorOptions } from '../run/doctor.ts'
import type { InitOptions } from '../run/init.ts'
import type { AsJson } from '../terminal/io.ts'
import { BINDING, number, type Verb } from './verb.ts'

/** `assay init`: writes a target configuration to fill in. */
export const init: Verb = {
  name: 'init',
  summary: 'write a target configuration',
  description: 'Writes a target configuration, whose schema explains each field. Secrets stay in the environment.',
  options: [
    ['--url <address>', 'base URL of the target (default: it is asked for at a terminal)'],
    ['--out <file>', 'where to write it (default: assay.config.json)'],
    ['--force', 'replace a configuration that is there'],
  ],
  examples: ['init --url http://127.0.0.1:8080', 'init --out targets/staging.json'],
  async run(io, words: InitOptions) {
    const { runInit } = await import('../run/init.ts')
    await runInit(words, io, io.isTty && process.stdin.isTTY ? ask : undefined)
  },
}

async function ask(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises')
  const { InterruptedError } = await import('../../engine/errors.ts')
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  // The end of the input is no answer.
  const ended = new Promise<string>((resolve, reject) => {
    terminal.once('SIGINT', () => reject(new InterruptedError({ where: '', what: 'nothing was written', hint: '' })))
    terminal.once('close', () => resolve(''))
  })
  try {
    return await Promise.race([terminal.question(question), ended])
  } finally {
    terminal.close()
  }
}

/** `assay doctor`: whether a target and its configuration are ready for a run. */
export const doctor: Verb = {
  name: 'doctor',
  summary: 'check whether a target and its configuration are ready for a run',
  description:
    'Checks address, TLS, clock, credentials, operations, consent and resources. Says how to fix each problem before `assay certify`. Changes nothing on the target.',
  argument: ['[url]', 'base URL of the target; wins over the configuration'],
  options: [
    ['--config <file>', 'target configuration (default: assay.config.json here)'],
    BINDING,
    ['--features <name...>', 'features that the target claims, instead of the configured ones'],
    ['--timeout <ms>', 'milliseconds that a request may take, 10000 at most', number(RUN_NUMBERS.timeout)],
    ['--json', 'print the checks as JSON'],
  ],
  note: `Exit codes: 0 no problem, 2 a problem, 3 the target cannot be reached or takes
no credential.`,
  examples: ['doctor', 'doctor http://127.0.0.1:8080 --config my.json'],
  tells: true,
  async run(io, words: DoctorOptions, url: string | undefined, { problems }) {
    const { runDoctor } = await import('../run/doctor.ts')
    await runDoctor(url, words, problems, io)
  },
}

/** `assay cleanup <journal>`: removes what a killed run left on its target. */
export const cleanup: Verb = {
  name: 'cleanup',
  summary: 'remove what a killed run left',
  description:
    'Removes from the target what a run made and did not remove, as its journal says. The target is that of the configuration or of --target. A journal of another target is refused.',
  argument: ['<journal>', 'the journal, in the folder of the report'],
  options: [
    ['--config <file>', 'target configuration, for the credentials'],
    ['--target <url>', 'base URL of the target (default: that of the configuration)'],
    BINDING,
    ['--json', 'print what was removed and what is left as JSON'],
  ],
  examples: ['cleanup assay-report/journal-assay-1a2b3c.ndjson --config assay.config.json'],
  async run(io, words: CleanupOptions & AsJson, journal: string) {
    const { runCleanup } = await import('../run/cleanup.ts')
    const { endOnSignals } = await import('../terminal/signals.ts')
    const release = endOnSignals('run the same command again: the journal knows what is left')
    await runCleanup(journal, words, io).finally(release)
  },
}
