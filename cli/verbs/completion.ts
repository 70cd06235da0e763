import type { Command } from 'commander'
import type { Io } from '../terminal/io.ts'

/** `assay completion <shell>`: a script for the shell that completes verbs and options. */
export function register(program: Command, io: Io): void {
  program
    .command('completion')
    .summary('print a script that completes verbs and options in a shell')
    .description('Prints a script for bash, zsh or fish that completes verbs and options.')
    .argument('<shell>', 'bash, zsh or fish')
    .option('--json', 'print the places and what may stand there as JSON')
    .addHelpText(
      'after',
      `
Examples:
  assay completion bash >> ~/.bashrc
  assay completion fish > ~/.config/fish/completions/assay.fish`,
    )
    .action(async (shell: string, options: { readonly json?: boolean }) => {
      const { runCompletion } = await import('../run/completion.ts')
      runCompletion(program, shell, options, io)
    })
}
