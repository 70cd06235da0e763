#!/usr/bin/env node
// Loads nothing itself. So even a program that cannot be loaded ends in one line, and so does a signal while it loads.
try {
  // Before everything else: loading other modules first would make the young generation grow.
  if (process.argv[2] === 'record') (await import('../proxy/fast/v8-tuning.ts')).tendYoungGeneration()
  const { endOnSignals } = await import('./terminal/signals.ts')
  endOnSignals('')
  await import('./start.ts')
} catch (thrown) {
  const { code: told } = thrown as NodeJS.ErrnoException
  // A package whose description cannot be opened counts as missing.
  const code = told === 'ERR_MODULE_NOT_FOUND' ? await shortage() : told
  if (code !== 'EMFILE' && code !== 'ENFILE') throw thrown
  process.stderr.write(
    `error: there are too few files that may be open to start with (${code}); raise the limit, such as with \`ulimit -n 4096\`, and start again\n`,
  )
  process.exitCode = 2
}

/** Why no more files can be opened; undefined: they can. */
async function shortage(): Promise<string | undefined> {
  const { closeSync, openSync } = await import('node:fs')
  const opened: number[] = []
  try {
    while (opened.length < 64) opened.push(openSync(process.execPath, 'r'))
    return undefined
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code
  } finally {
    for (const file of opened) closeSync(file)
  }
}
