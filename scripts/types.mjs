// Generates schemas/types/*.ts, which are not in git, from schemas/records/*.schema.json. A file that is newer than its
// schema is left alone. So it costs nothing, and nobody finds half a file.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(import.meta.url)
const root = dirname(dirname(here))
const records = join(root, 'schemas', 'records')
const types = join(root, 'schemas', 'types')
const changed = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
mkdirSync(types, { recursive: true })
const names = readdirSync(records).flatMap((file) => /^(.+)\.schema\.json$/.exec(file)?.slice(1) ?? [])
for (const file of readdirSync(types)) {
  if (file.endsWith('.ts') && !names.includes(file.slice(0, -'.ts'.length))) rmSync(join(types, file))
}
for (const name of names) {
  const path = join(types, `${name}.ts`)
  const schema = join(records, `${name}.schema.json`)
  if (changed(path) > Math.max(changed(schema), changed(here))) continue
  const { compile } = await import('json-schema-to-typescript')
  // Where a type is given, the schema may refer to another file, which is not read here.
  const given = (_, node) => (node?.tsType === undefined ? node : { ...node, $ref: undefined, items: undefined })
  const source = await compile(JSON.parse(readFileSync(schema, 'utf8'), given), name, {
    bannerComment: `// Generated from schemas/records/${name}.schema.json. Do not edit.`,
    format: true,
    style: { semi: false, singleQuote: true, printWidth: 120, trailingComma: 'all' },
    unreachableDefinitions: true,
    additionalProperties: true,
  })
  writeFileSync(`${path}.${process.pid}`, source)
  renameSync(`${path}.${process.pid}`, path)
}
