import type { Command } from 'commander'
import type { RecordWords } from '../run/record-options.ts'
import type { Io } from '../terminal/io.ts'

/** `assay record`: a proxy before a target that writes down and judges what passes. */
export function register(program: Command, io: Io): void {
  program
    .command('record')
    .summary('record and judge the traffic between clients and a target')
    .description(
      'Forwards every request to one target, and its response back, unchanged but for the address of the target in Location. Records the traffic without secrets, and judges it by the specification. Ctrl-C ends it.',
    )
    .option('--target <url>', 'base URL of the target (default: that of the configuration)')
    .option('--listen <address>', 'address and port to listen on; port 0: any free one', '127.0.0.1:9000')
    .option('--out <folder>', 'where the recording is written', 'recording')
    .option('--config <file>', 'target configuration (default: assay.config.json, .ts or .js here)')
    .option('--binding <name>', 'shipped binding or binding file, instead of the configured one')
    .option('--mode <name>', 'watch: only record; guard: refuse requests and responses that do not conform', 'watch')
    .option('--annotate', 'name what a request breaks in the header Assay-Findings of its response')
    .option('--strict', 'implied and declared requirements fail instead of warning')
    .option(
      '--max-body <bytes>',
      'longest body in bytes that is kept whole; of longer ones: beginning, length, hash',
      '1048576',
    )
    .option('--full-bodies', 'keep long bodies whole, in files beside the recording')
    .addOption(
      program
        .createOption('--keep <what>', 'keep all but places of secrets: what is written is not safe to share')
        .choices(['texts']),
    )
    .option('--key-file <file>', 'key of the pseudonyms; created if missing (default: a new key each time)')
    .option('--timeout <ms>', 'milliseconds to wait for a byte from the target', '120000')
    .option('--keep-host', 'forward the client’s Host header (default: it names the target)')
    .option('--insecure', 'do not check the certificate of the target')
    .option('--ca <file>', 'PEM file of authorities that signed the certificate of the target')
    .option('--tls-cert <file>', 'PEM file of the certificate of the proxy, which then speaks https')
    .option('--tls-key <file>', 'PEM file of its key')
    .option('--ui [port]', 'show exchanges and findings on a page, on this machine only')
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
