import type { Command } from 'commander'
import type { InitOptions } from '../run/init.ts'
import type { Io } from '../terminal/io.ts'

/** `assay init`: writes a target configuration to fill in. */
export function register(program: Command, io: Io): void {
  program
    .command('init')
    .summary('write a target configuration')
    .description('Writes a target configuration, whose schema explains each field. Secrets stay in the environment.')
    .option('--url <address>', 'base URL of the target (default: it is asked for at a terminal)')
    .option('--out <file>', 'where to write it (default: assay.config.json)')
    .option('--force', 'replace a configuration that is there')
    .addHelpText(
      'after',
      '\nExamples:\n  assay init --url http://127.0.0.1:8080\n  assay init --out targets/staging.json',
    )
    .action(async (options: InitOptions) => {
      const { runInit } = await import('../run/init.ts')
      await runInit(options, io, io.isTty && process.stdin.isTTY ? ask : undefined)
    })
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
