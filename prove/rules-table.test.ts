import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { allFaults } from '../reference/faults/index.ts'
import { ledger } from '../schemas/ledger.ts'
import { allCollections, service } from '../schemas/service.ts'
import { allCases } from '../suites/cases/index.ts'

/**
 * The table in `rules/README.md`: where each requirement is judged, provoked and broken on purpose. Renewed by
 * `npx vitest run --project unit prove/rules-table.test.ts -u`.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const README = join(root, 'rules/README.md')
const TABLE = /(<!-- table -->\n)[\s\S]*(<!-- end of table -->)/

/** What judges that which only data of the specification name. */
const BY_SCHEMA = 'topics/general/control.ts'
const BY_OPERATION = 'topics/general/success.ts'

const sources = ['topics', 'traffic'].flatMap((folder) =>
  readdirSync(join(root, 'rules', folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.includes('testing'))
    .map((name) => ({ path: `${folder}/${name}`, text: readFileSync(join(root, 'rules', folder, name), 'utf8') })),
)
const operations = JSON.stringify(service().operations.map(({ response, errors }) => [response, errors]))

/** The rules that the lists of rules about things give their requirements. */
function fromLists(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  const add = (id: string, path: string): void => void found.set(id, (found.get(id) ?? new Set()).add(path))
  for (const list of ['record-rules.ts', 'existence-rules.ts']) {
    const text = readFileSync(join(root, 'rules', list), 'utf8')
    for (const [, names = '', path = ''] of text.matchAll(/import \{([^}]*)\} from '\.\/(topics\/[^']*)'/g)) {
      for (const name of names.split(',').flatMap((one) => one.trim() || [])) {
        for (const { index } of text.matchAll(new RegExp(`\\b${name}\\(`, 'g'))) {
          for (const [, id = ''] of callAt(text, index).matchAll(/'([A-Z][A-Z0-9-]+)'/g)) add(id, path)
        }
      }
    }
  }
  for (const { made, got, listed, removed, read, updated, values } of allCollections) {
    for (const id of [made, got, listed]) if (id) add(id, 'topics/configuration/found-when-made.ts')
    for (const id of [updated, values]) if (id) add(id, 'topics/general/fields-read-back.ts')
    if (removed) add(removed, 'topics/configuration/removed-is-gone.ts')
    if (read) add(read, 'topics/general/fields-read-back.ts')
  }
  for (const { reaches, deleted, report, kind } of service().operations) {
    if (reaches) add(reaches, 'topics/general/stays.ts')
    if (reaches && kind) add(reaches, 'topics/pipelines/leftovers.ts')
    if (deleted) add(deleted, 'topics/configuration/removed-is-gone.ts')
    if (report) for (const id of [report.named, report.period]) add(id, 'topics/usage/sent-is-reported.ts')
  }
  return found
}

/** The text of a call, to its closing bracket. */
function callAt(text: string, start: number): string {
  let depth = 0
  for (let end = text.indexOf('(', start); end < text.length; end += 1) {
    if (text[end] === '(') depth += 1
    if (text[end] === ')') depth -= 1
    if (depth === 0) return text.slice(start, end)
  }
  return ''
}

const listed = fromLists()

/** The rules that name a requirement; those that follow from a schema, an operation or an intent are judged by one rule. */
function rulesOf(id: string): string[] {
  const own = sources.filter(({ text }) => text.includes(`'${id}'`)).map(({ path }) => path)
  const named = [...new Set([...own, ...(listed.get(id) ?? [])])]
  if (named.length > 0) return named.sort()
  return [operations.includes(`"${id}"`) ? BY_OPERATION : BY_SCHEMA]
}

function some(names: readonly string[]): string {
  const [first] = names
  if (first === undefined) return ''
  return names.length === 1 ? first : `${first} and ${names.length - 1} more`
}

function tableOf(): string {
  const cases = allCases()
  const faults = allFaults()
  const rows = [...ledger().values()]
    .filter(({ level, provoke }) => level !== 'open' && provoke !== 'never')
    .map(({ id }) => {
      const provoking = cases
        .filter(({ requirements }) => requirements.includes(id))
        .map((one) => one.id)
        .sort()
      const breaking = faults.filter(({ kills: [about] }) => about === id).map(({ name }) => name)
      return `| ${id} | ${rulesOf(id).join(', ')} | ${some(provoking)} | ${some(breaking)} |`
    })
  return ['| requirement | rule | case | fault |', '|---|---|---|---|', ...rows.sort()].join('\n')
}

test('the table of the rules is up to date', async () => {
  const text = readFileSync(README, 'utf8')
  await expect(text.replace(TABLE, (_, begin, end) => `${begin}\n${tableOf()}\n\n${end}`)).toMatchFileSnapshot(README)
})
