// Fills the tables of the documents from the ledger, the features and the bindings: whatever stands between
// `<!-- table: name -->` and `<!-- end of table -->`. With --check: fails where they differ.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const read = (path) => JSON.parse(readFileSync(join(root, 'schemas', path), 'utf8'))
const ledger = read('requirements.json').requirements
const gaps = ledger.filter(({ id }) => id.startsWith('GAP-'))
const service = read('service.json')
const features = read('features.json').map((one) => ({
  ...one,
  operations: service.operations.flatMap(({ id, feature }) => (feature === one.id ? [id] : [])),
}))
const specified = new Set(service.operations.flatMap(({ id, path }) => (path === undefined ? [] : [id])))
const bindings = readdirSync(join(root, 'schemas', 'bindings')).map((file) => read(`bindings/${file}`))

const LONGEST_EXAMPLE = 110

const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
const code = (value) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``

function table(head, rows) {
  const line = (cells) => `| ${cells.map(cell).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

/** A JSON Schema in words. */
function form({ type, enum: words, description = '', properties, required = [] }) {
  const about = description === '' ? '' : `: ${description}`
  if (words) return `one of ${words.map((word) => code(JSON.stringify(word))).join(', ')}${about}`
  if (!properties) return `${type ?? 'any value'}${about}`
  const fields = Object.entries(properties).map(([name, field]) => {
    const optional = required.includes(name) ? '' : ', may be left out'
    return `${code(name)} (${form(field)}${optional})`
  })
  return `object with ${fields.join('; ')}${about}`
}

/** The first answer among the shipped bindings that fits into a cell. */
function example(id) {
  const answers = bindings.flatMap(({ answers = {} }) => (answers[id] == null ? [] : [JSON.stringify(answers[id])]))
  const short = answers.find((answer) => answer.length <= LONGEST_EXAMPLE)
  return short === undefined ? '' : code(short)
}

/** How many requirements name an operation, by level, and the gaps among what is open. */
function knownOf(operation) {
  const own = ledger.filter(({ id, operations }) => operations.includes(operation) && !id.startsWith('GAP-'))
  const counted = ['stated', 'implied', 'declared', 'open'].map(
    (name) => own.filter(({ level }) => level === name).length,
  )
  const asked = gaps.filter(({ operations }) => operations.includes(operation))
  return [counted.join(', '), asked.map(({ id }) => code(id)).join(', ')]
}

/** The requirements of a type of thing: what each is about, and how firmly the text says it. */
function relationsOf({ type, relations = {} }) {
  const reached = service.operations.flatMap(({ id, resource, reaches }) =>
    resource === type && reaches !== undefined ? [[`${id} reaches no other`, reaches]] : [],
  )
  const level = (named) => ledger.find(({ id }) => id === named)?.level
  return [...Object.entries(relations), ...reached]
    .map(([about, id]) => `${about}: ${code(id)} (${level(id)})`)
    .join('; ')
}

/** The fields of the specification, and the roles of a binding, with the class that their schema gives them. */
function classed() {
  const found = []
  const look = (where, properties = {}) => {
    for (const [name, schema] of Object.entries(properties))
      if (schema['x-class']) found.push([where, name, schema['x-class']])
  }
  for (const file of readdirSync(join(root, 'schemas', 'resources'))) {
    const { properties, $defs } = read(`resources/${file}`)
    look('fields of the text', { ...$defs, ...properties })
  }
  const { parameters, fields, answer } = read('records/binding.schema.json').$defs.BoundOperation.properties
  look('roles of a binding', { ...answer.properties, ...parameters.properties, ...fields.properties })
  return found
}

const tables = {
  'classes of fields': () =>
    table(
      ['class', 'where it is said', 'fields'],
      ['private', 'secret', 'prose', 'public'].flatMap((one) =>
        [...new Set(classed().map(([where]) => where))].flatMap((where) => {
          const names = classed().flatMap(([place, name, found]) => (place === where && found === one ? [name] : []))
          return names.length === 0 ? [] : [[one, where, [...new Set(names)].sort().map(code).join(' ')]]
        }),
      ),
    ),
  'operations of the service': () =>
    table(
      ['operation', 'does', 'path, or gap', 'credentials', 'body', 'requirements', 'gaps'],
      service.operations.map(({ id, verb, resource, method, path, gap, family, request }) => [
        code(id),
        `${verb} ${resource}`,
        code(gap ?? `${method} ${path}`),
        family,
        request ? code(request.schema) : '',
        ...knownOf(id),
      ]),
    ),
  'things of the service': () =>
    table(
      ['thing', 'feature', 'stands in', 'operations', 'relations'],
      service.resources.map((row) => [
        code(row.type),
        row.feature,
        [...(row.needs ?? []), ...(row.of === undefined ? [] : [row.of])].map(code).join(', '),
        service.operations
          .filter(({ resource }) => resource === row.type)
          .map(({ id }) => code(id))
          .join(', '),
        relationsOf(row),
      ]),
    ),
  answers: () =>
    table(
      ['gap', 'what is open', 'the answer', 'for example'],
      gaps.filter(({ answer }) => answer).map(({ id, text, answer }) => [code(id), text, form(answer), example(id)]),
    ),
  'answered by operations': () =>
    table(
      ['gap', 'what is open', 'operations of the shipped bindings'],
      gaps.flatMap(({ id, text }) => {
        const named = bindings.flatMap(({ operations = {} }) =>
          Object.entries(operations).flatMap(([name, { gap }]) => (gap === id ? [name] : [])),
        )
        return named.length === 0 ? [] : [[code(id), text, [...new Set(named)].sort().map(code).join(', ')]]
      }),
    ),
  features: () =>
    table(
      ['feature', 'what it is', 'operations that are certified'],
      features
        .filter(({ available, operations }) => available && operations.length > 0)
        .map(({ id, title, operations }) => [
          code(id),
          title,
          operations
            .filter((name) => specified.has(name))
            .map(code)
            .join(', '),
        ]),
    ),
}

const check = process.argv.includes('--check')
const stale = []
const filled = new Set()
const documents = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
for (const file of ['README.md', ...documents.map((name) => `docs/${name}`)]) {
  const path = join(root, file)
  const before = readFileSync(path, 'utf8')
  const after = before.replace(/(<!-- table: (.*?) -->\n)[\s\S]*?(<!-- end of table -->)/g, (_, begin, name, end) => {
    if (!Object.hasOwn(tables, name)) throw new Error(`${file}: there is no table ${name}`)
    filled.add(name)
    return `${begin}\n${tables[name]()}\n\n${end}`
  })
  if (after === before) continue
  if (check) stale.push(file)
  else writeFileSync(path, after)
}
for (const name of Object.keys(tables)) if (!filled.has(name)) throw new Error(`no document has the table ${name}`)
if (stale.length > 0) {
  console.error(`out of date: ${stale.join(', ')}; run \`npm run generate\``)
  process.exit(1)
}
