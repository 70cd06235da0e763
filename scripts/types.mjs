// Generates schemas/types/*.ts from schemas/records/*.schema.json. With --check: fails where they differ.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile } from 'json-schema-to-typescript'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const records = join(root, 'schemas', 'records')
const types = join(root, 'schemas', 'types')
const check = process.argv.includes('--check')
mkdirSync(types, { recursive: true })
const stale = []
for (const file of readdirSync(records).filter((name) => name.endsWith('.schema.json'))) {
  const name = file.replace('.schema.json', '')
  const schema = JSON.parse(readFileSync(join(records, file), 'utf8'))
  const source = await compile(schema, name, {
    bannerComment: `// Generated from schemas/records/${file} by \`npm run generate\`. Do not edit.`,
    format: true,
    style: { semi: false, singleQuote: true, printWidth: 120, trailingComma: 'all' },
    unreachableDefinitions: true,
    additionalProperties: true,
  })
  const path = join(types, `${name}.ts`)
  if (check) {
    if (!existsSync(path) || readFileSync(path, 'utf8') !== source) stale.push(`schemas/types/${name}.ts`)
  } else writeFileSync(path, source)
}
if (stale.length > 0) {
  console.error(`out of date: ${stale.join(', ')}; run \`npm run generate\``)
  process.exit(1)
}
