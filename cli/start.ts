import { UsageError } from '../engine/errors.ts'
import { run } from './program.ts'
import { printError, processIo } from './terminal/io.ts'

const io = processIo(process)
if (io.cwd === '') {
  const hint = 'change into one that is there'
  process.exit(printError(io, new UsageError({ where: '', what: 'the current folder is gone', hint })))
}
let lost: number | undefined

for (const [name, stream] of [
  ['standard output', process.stdout],
  ['standard error', process.stderr],
] as const) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // a reader that has seen enough (`assay list | head`) is no error
    if (error.code === 'EPIPE') return
    lost ??= printError(io, new UsageError({ where: name, what: `cannot be written (${error.code})`, hint: '' }))
    process.exitCode = lost
  })
}
// Whatever nobody waited for: nothing can be relied on any more, so this is the end, in one line.
process.once('uncaughtException', (error) => process.exit(printError(io, error)))

const code = await run(process.argv.slice(2), io)
process.exitCode = lost ?? code
