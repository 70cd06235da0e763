#!/usr/bin/env node
// Loads nothing itself: what cannot even be loaded is said in one line as well, and so is a signal while it is loaded.
try {
  // Before everything else: what is loaded first would make the young generation grow.
  if (process.argv[2] === 'record') (await import('../proxy/fast/v8-tuning.ts')).tendYoungGeneration()
  const { endOnSignals } = await import('./terminal/signals.ts')
  endOnSignals('')
  await import('./start.ts')
} catch (thrown) {
  const { code } = thrown as NodeJS.ErrnoException
  if (code !== 'EMFILE' && code !== 'ENFILE') throw thrown
  process.stderr.write(
    `error: there are too few files that may be open to start with (${code}); raise the limit, such as with \`ulimit -n 4096\`, and start again\n`,
  )
  process.exitCode = 2
}
