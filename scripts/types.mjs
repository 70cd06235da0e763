// Generates schemas/types/*.ts, which are not in git, from schemas/records/*.schema.json. A file that is up to date is
// left alone, so that nobody who reads it at the same time finds half of it.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile } from 'json-schema-to-typescript'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const records = join(root, 'schemas', 'records')
const types = join(root, 'schemas', 'types')
mkdirSync(types, { recursive: true })
const names = readdirSync(records).flatMap((file) => /^(.+)\.schema\.json$/.exec(file)?.slice(1) ?? [])
for (const file of readdirSync(types)) {
  if (file.endsWith('.ts') && !names.includes(file.slice(0, -'.ts'.length))) rmSync(join(types, file))
}
for (const name of names) {
  const schema = JSON.parse(readFileSync(join(records, `${name}.schema.json`), 'utf8'))
  const source = await compile(schema, name, {
    bannerComment: `// Generated from schemas/records/${name}.schema.json. Do not edit.`,
    format: true,
    style: { semi: false, singleQuote: true, printWidth: 120, trailingComma: 'all' },
    unreachableDefinitions: true,
    additionalProperties: true,
  })
  const path = join(types, `${name}.ts`)
  if (existsSync(path) && readFileSync(path, 'utf8') === source) continue
  writeFileSync(`${path}.${process.pid}`, source)
  renameSync(`${path}.${process.pid}`, path)
}
