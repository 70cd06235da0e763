#!/usr/bin/env node
// The program of the package. Unlike what it starts, it is there before anything is compiled: npm would otherwise note
// for good that there is no program.
const main = new URL('../dist/cli/main.js', import.meta.url)
try {
  await import(main.href)
} catch (thrown) {
  const [{ existsSync }, { fileURLToPath }] = await Promise.all([import('node:fs'), import('node:url')])
  if (existsSync(main)) throw thrown
  const root = fileURLToPath(new URL('..', import.meta.url))
  process.stderr.write(
    `error: ${root}: assay is not compiled yet; run \`npm ci && npm run build\` there, and start again\n`,
  )
  process.exitCode = 2
}
