import type { Command } from 'commander'
import type { FixturesJob, FixturesWords } from '../run/fixtures.ts'
import type { Io } from '../terminal/io.ts'

type Job = 'runStats' | 'runExport' | 'runImport' | 'runDistill' | 'runRepair'

/** `assay fixtures …`: what can be done with recordings beside checking, replaying and serving them. */
export function register(program: Command, io: Io): void {
  const fixtures = program
    .command('fixtures')
    .summary('show, convert, shrink and repair recordings')
    .description('Shows recordings, converts them to HAR and back, shrinks and repairs them.')
    .addHelpText('after', examples('stats recordings/today', 'distill recordings/today --out recordings/small'))
  registerStats(fixtures, io)
  registerConversions(fixtures, io)
  registerDistill(fixtures, io)
  registerRepair(fixtures, io)
}

function registerStats(fixtures: Command, io: Io): void {
  target(
    fixtures
      .command('stats')
      .summary('show what a recording holds')
      .description('Shows operations, sizes, the span of time, and which requirements the exchanges show.')
      .argument('<recording>', 'folder, segment or HAR file'),
  )
    .option('--json', 'print it as JSON')
    .addHelpText('after', examples('stats recordings/today', 'stats session.har --target https://logs.example.com'))
    .action(job('runStats', io))
}

function registerConversions(fixtures: Command, io: Io): void {
  redacting(
    fixtures
      .command('export')
      .summary('write a recording as a HAR file')
      .description('Writes a recording as one HAR 1.2 file, with the whole bodies that were kept.')
      .argument('<recording>', 'folder, segment or HAR file'),
  )
    .option('--out <file>', 'the HAR file (required)')
    .option('--json', 'print the path and the number of entries as JSON')
    .addHelpText('after', examples('export recordings/today --out session.har'))
    .action(job('runExport', io))

  redacting(
    fixtures
      .command('import')
      .summary('make a recording from a HAR file')
      .description('Makes a recording from a HAR file of any tool, without its secrets.')
      .argument('<file>', 'HAR file; or a recording of an older version'),
  )
    .option('--out <folder>', 'folder of the recording (required)')
    .option('--json', 'print the path, exchanges and bytes as JSON')
    .addHelpText('after', examples('import session.har --out recordings/session'))
    .action(job('runImport', io))

  redacting(
    fixtures
      .command('anonymise')
      .summary('remove the secrets from a HAR file')
      .description('Writes a HAR file again without its secrets: a pseudonym of the same form replaces each.')
      .argument('<file>', 'HAR file'),
  )
    .option('--out <file>', 'the new HAR file (required)')
    .option('--json', 'print the path and the number of entries as JSON')
    .addHelpText('after', examples('anonymise foreign.har --out clean.har'))
    .action(job('runExport', io))
}

function registerDistill(fixtures: Command, io: Io): void {
  target(
    fixtures
      .command('distill')
      .summary('keep the smallest part of a recording that shows the same')
      .description('Keeps the exchanges that show the same operations, statuses, shapes, edges and findings.')
      .argument('<recording>', 'folder, segment or HAR file'),
  )
    .option('--out <folder>', 'folder of the new recording (required)')
    .option('--all-edges', 'keep every edge of a field and every wrong value, not bounds and a few of each')
    .option('--json', 'print what was kept and dropped as JSON')
    .addHelpText('after', examples('distill recordings/today --out recordings/small'))
    .action(job('runDistill', io))
}

function registerRepair(fixtures: Command, io: Io): void {
  fixtures
    .command('repair')
    .summary('repair a recording that was cut off')
    .description('Leaves out what cannot be read, says what was lost, and keeps the broken files beside the new ones.')
    .argument('<folder>', 'folder of the recording')
    .option('--json', 'print what was done as JSON')
    .addHelpText('after', examples('repair recordings/today'))
    .action(job('runRepair', io))
}

function job(name: Job, io: Io): (path: string, words: FixturesWords) => Promise<void> {
  return async (path, words) => {
    const jobs: Readonly<Record<Job, FixturesJob>> = await import('../run/fixtures.ts')
    await jobs[name](path, words, io)
  }
}

function target(command: Command): Command {
  return command
    .option(
      '--config <file>',
      'target configuration: binding, credentials that get labels, and base URL where none is recorded',
    )
    .option('--target <url>', 'address of the service (default: as recorded, or that of most requests)')
    .option('--binding <name>', 'shipped binding or binding file (default: the one that it was recorded with)')
}

function redacting(command: Command): Command {
  return target(command)
    .option('--key-file <file>', 'key of the pseudonyms; created if missing; keep it away from recordings')
    .addOption(
      command
        .createOption('--keep <what>', 'keep all but places of secrets: what is written is not safe to share')
        .choices(['texts']),
    )
}

function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  assay fixtures ${line}`).join('\n')}`
}
