import type { Command } from 'commander'
import type { RecordWords } from '../run/record-options.ts'
import type { Io } from '../terminal/io.ts'

/** `assay record`: a proxy before a target that writes down and judges what passes. */
export function register(program: Command, io: Io): void {
  program
    .command('record')
    .summary('stand between clients and a target: record and judge what passes')
    .description(
      'Forwards every request to one target and its answers back, unchanged; writes down what it saw, without secrets, and judges it by the rules of the specification. Ctrl-C ends it.',
    )
    .option('--target <url>', 'base URL of the target; from the configuration where it is left out')
    .option('--listen <address>', 'address and port to listen on; port 0: any free one', '127.0.0.1:9000')
    .option('--out <folder>', 'where the recording is written', 'recording')
    .option('--config <file>', 'target configuration (default: assay.config.json, .ts or .js here)')
    .option('--binding <name>', 'shipped binding or binding file; wins over the configuration')
    .option('--mode <name>', 'watch: only write down; guard: refuse what does not conform, both ways', 'watch')
    .option('--annotate', 'name what a request breaks in a header field of its answer: Assay-Findings')
    .option('--strict', 'what the specification implies counts like what it states')
    .option(
      '--max-body <bytes>',
      'bytes of a body that are kept whole; longer ones: beginning, length, hash',
      '1048576',
    )
    .option('--full-bodies', 'keep long bodies whole as well, in files beside the recording')
    .option('--hide-lines', 'replace the texts of log lines as well')
    .option('--key-file <file>', 'key of the pseudonyms; made where it is missing (default: a new key each time)')
    .option('--timeout <ms>', 'milliseconds without a byte from the target before it is given up', '120000')
    .option('--keep-host', 'let the client’s Host header through; otherwise it names the target')
    .option('--insecure', 'do not check the certificate of the target')
    .option('--ca <file>', 'PEM file of certificates that vouch for the target')
    .option('--tls-cert <file>', 'PEM file of the certificate that the proxy shows: it then speaks https')
    .option('--tls-key <file>', 'PEM file of its key')
    .option('--ui [port]', 'show exchanges and findings on a page of this machine')
    .option('--allow-resend', 'with --ui: let the page send a request once more, as it was or edited')
    .option('--yes-modify-target', 'agree that requests sent again create, change and delete things on the target')
    .option('--no-compress', 'leave finished segments uncompressed')
    .option('--json', 'print the summary as JSON')
    .addHelpText(
      'after',
      `
Examples:
  assay record --target https://logs.example.com --out recordings/today
  assay record --config my.json --listen 127.0.0.1:0 --mode guard --ui`,
    )
    .action(async (options: RecordWords) => {
      const { runRecord } = await import('../run/record.ts')
      await runRecord(options, io)
    })
}
