import { execFileSync } from 'node:child_process'
import { cpSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { lastingFolder } from '../fixtures/testing/folder.ts'
import { readData } from '../schemas/load.ts'
import type { Strength } from '../schemas/types/strength.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = lastingFolder()

/** The hash of the suite as it would be built from this checkout. */
function compiledHash(): string {
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')
  execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json'), '--outDir', folder])
  cpSync(join(root, 'schemas'), join(folder, 'schemas'), {
    recursive: true,
    filter: (source) => !source.endsWith('.ts'),
  })
  cpSync(join(root, 'package.json'), join(folder, 'package.json'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const moduleOf = (path: string): string => JSON.stringify(pathToFileURL(join(folder, path)).href)
  const compile = `(await import(${moduleOf('schemas/compile.js')})).writeCompiled()`
  const hash = `process.stdout.write((await import(${moduleOf('engine/hash.js')})).suiteHash())`
  const program = ['--input-type=module', '-e', `${compile}\n${hash}`]
  return execFileSync(process.execPath, program, { encoding: 'utf8' })
}

test('schemas/strength.json speaks of the suite as it is now; `npm run strength` renews it', () => {
  const { suite, profile, mutants, noticed } = readData<Strength>('strength.json')
  expect(suite).toBe(compiledHash())
  expect(profile).toBe('standard')
  expect(noticed).toBe(mutants)
})
