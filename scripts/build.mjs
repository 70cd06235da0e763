// Makes the types of our records, and compiles the TypeScript and the schemas. Puts the data files beside the compiled
// code, so that both read them by relative URL.
import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pruneDeclarations } from './lib/declarations.mjs'
import { buildPages } from './page.mjs'
import './types.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const require = createRequire(import.meta.url)
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')
rmSync(join(root, 'dist'), { recursive: true, force: true })
// Types are checked by `npm run types`, in tests as well: here they are only taken off.
execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json'), '--noCheck'], {
  stdio: 'inherit',
  cwd: root,
})
pruneDeclarations(join(root, 'dist'))
for (const room of ['schemas', 'reference']) {
  cpSync(join(root, room), join(root, 'dist', room), { recursive: true, filter: (source) => !source.endsWith('.ts') })
}
const { writeCompiled } = await import('../dist/schemas/compile.js')
writeCompiled()
await buildPages(join(root, 'dist'))
