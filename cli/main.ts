#!/usr/bin/env node
import { EXIT } from './exit-codes.ts'
import { processIo } from './io.ts'
import { run } from './program.ts'

// A reader that has seen enough (`assay list | head`) is no error.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.exitCode = EXIT.invalid
  })
}

process.exitCode = await run(process.argv.slice(2), processIo(process))
