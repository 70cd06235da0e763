import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { NO_BINDING } from '../../engine/config/binding.ts'
import {
  type BindingName,
  bindingSchema,
  entriesOfOperation,
  namesOfOperation,
  type OperationNames,
  shippedWhole,
} from '../../engine/config/binding-names.ts'
import { givenBinding } from '../../engine/config/chosen-binding.ts'
import { linesOfJson } from '../../engine/config/config-file.ts'
import { UsageError } from '../../engine/errors.ts'
import { writeFileWhole } from '../../reports/formats/write.ts'
import { Screen } from '../../reports/screen.ts'
import { type BindingData, resolveBinding, shippedBinding } from '../../schemas/binding.ts'
import { type AsJson, type Io, printedAsJson, say, screenFor } from '../terminal/io.ts'

/** What the command line gives. */
export interface BindingVerbOptions extends AsJson {
  readonly config?: string
  readonly binding?: string
}

/** The binding that is meant: the one named, or that of the configuration. @throws UsageError */
async function chosen(options: BindingVerbOptions, io: Io): Promise<BindingData | undefined> {
  return (await givenBinding(options, io))?.data
}

async function required(options: BindingVerbOptions, io: Io): Promise<BindingData> {
  const data = await chosen(options, io)
  if (data) return data
  const hint = 'use --binding or --config; `assay bind` writes a binding'
  throw new UsageError({ where: io.cwd, what: 'no binding is named', hint })
}

/** An entry of the effective binding, and where it stands. */
interface Entry {
  readonly about: string
  readonly says: string
  readonly place: string
}

/** Prints the binding with all that it inherits, and where each entry stands. @throws UsageError */
export async function showBinding(options: BindingVerbOptions, io: Io): Promise<void> {
  const data = await required(options, io)
  const binding = resolveBinding(data)
  const place = await placesOf(data, io.cwd)
  const operations = [...binding.operations.values()]
    .filter(({ path }) => path !== '')
    .map((operation) => ({
      id: operation.id,
      method: operation.method,
      path: operation.path,
      offered: operation.offered,
      place: operation.specified ? 'specification' : place(`/operations/${operation.id}/path`),
      says: (['parameters', 'fields', 'answer'] as const).flatMap((part) =>
        Object.entries(operation[part]).map(
          ([name, value]): Entry => ({
            about: `${part}.${name}`,
            says: value,
            place: place(`/operations/${operation.id}/${part}/${name}`),
          }),
        ),
      ),
    }))
  const answers = [...binding.answers]
    .filter(([gap]) => data.files.some(({ answers: own }) => own?.[gap] !== undefined))
    .map(([gap, { value }]) => ({ about: gap, says: JSON.stringify(value), place: place(`/answers/${gap}`) }))
  if (printedAsJson(io, options.json, { binding: data.name, chain: data.chain, operations, answers }, 2)) return
  const screen = new Screen(screenFor(io))
  screen.text(`binding ${data.chain.join(', which extends ')}`)
  for (const { id, method, path, offered, place: at, says } of operations) {
    screen.line()
    screen.text(`${id}  ${method} ${path}${offered ? '' : ' (not offered)'}  [${at}]`)
    for (const entry of says) tell(screen, entry)
  }
  screen.line()
  screen.text('answers')
  for (const entry of answers) tell(screen, entry)
  io.stdout.write(screen.toString())
}

function tell(screen: Screen, { about, says, place }: Entry): void {
  screen.text(`${about}: ${says === '' ? 'the whole body' : says}  [${place}]`, { indent: 2, most: 300 })
}

/** Where the nearest file that says something says it: file and line. */
async function placesOf(data: BindingData, cwd: string): Promise<(pointer: string) => string> {
  const read = data.files.map(async (file, index) => {
    const source = data.sources?.[index] ?? file.name
    const isShipped = source.startsWith('binding ')
    const text = isShipped
      ? JSON.stringify(shippedBinding(file.name), null, 2)
      : readFileSync(resolve(cwd, source), 'utf8')
    return { source, isShipped, lines: await linesOfJson(text) }
  })
  const files = await Promise.all(read)
  return (pointer) => {
    const found = files.find(({ lines }) => lines.has(pointer))
    if (!found) return 'specification'
    // What ships is no file of the user's: it is named by its place in it.
    return found.isShipped ? `${found.source}#${pointer}` : `${found.source}:${found.lines.get(pointer)}`
  }
}

/** Checks a binding as strictly as a run does. @throws UsageError with every problem */
export async function checkBinding(options: BindingVerbOptions, io: Io): Promise<void> {
  const data = await required(options, io)
  const { operations, answers } = resolveBinding(data)
  const count = [...operations.values()].filter(({ path, offered }) => path !== '' && offered).length
  const told = { binding: data.name, chain: data.chain, operations: count, answers: answers.size }
  if (!printedAsJson(io, options.json, told))
    io.stdout.write(`binding ${data.name}: no problem found in ${count} operations and ${answers.size} answered gaps\n`)
}

/** Prints every name that a binding may use of an operation. @throws UsageError for one that there is not */
export async function explainBinding(id: string, options: BindingVerbOptions, io: Io): Promise<void> {
  const data = (await chosen(options, io)) ?? NO_BINDING
  const names = namesOfOperation(id, resolveBinding(data), shippedWhole())
  if (printedAsJson(io, options.json, names, 2)) return
  const screen = new Screen(screenFor(io))
  screen.text(`${id}  ${names.method} ${names.path}`)
  screen.text(
    names.specified
      ? 'The specification gives method and path; they cannot be changed.'
      : 'Method and path are the binding’s.',
  )
  if (names.gaps.length > 0) screen.text(`gaps: ${names.gaps.join(', ')}`)
  screen.line()
  screen.text(data.name === '' ? 'a good request' : `a good request, under the binding ${data.name}`)
  const place = await placesOf(data, io.cwd)
  for (const part of ['query', 'body'] as const) {
    const says = names[part] === undefined ? nothingOf(part, names) : JSON.stringify(names[part])
    const at = names[part] === undefined ? '' : `  [${place(`/operations/${id}/${part}`)}]`
    screen.text(`${part}: ${says}${at}`, { indent: 2 })
  }
  for (const part of ['parameters', 'fields', 'answer'] as const) {
    if (names[part].length === 0) continue
    screen.line()
    screen.text(HEADS[part])
    for (const one of names[part]) screen.text(nameLine(one), { indent: 2 })
  }
  screen.line()
  screen.text(
    `entries of operations.${id}: ${entriesOfOperation().join(', ')}; \`assay binding schema\` describes them`,
  )
  io.stdout.write(screen.toString())
}

/** Where a binding says nothing of what is sent. */
function nothingOf(part: 'query' | 'body', { specified, method }: OperationNames): string {
  if (part === 'query') return 'nothing that is always sent'
  return specified && /^P/.test(method) ? 'made from what the specification describes' : 'none'
}

const HEADS = {
  parameters: "parameters: our name of a query parameter, and the target's",
  fields: "fields: our name of a field, and the target's, or a JSON pointer into the record",
  answer: 'answer: JSON pointers into the response',
} as const

function nameLine({ name, description, example, value }: BindingName): string {
  const said = value === undefined ? '' : `; now ${JSON.stringify(value)}`
  return `${name}: ${description}${example === '' ? '' : `, such as ${JSON.stringify(example)}`}${said}`
}

/** Prints the JSON Schema of a binding, or writes it to a file: editors complete bindings by it. @throws UsageError */
export async function printBindingSchema({ out, json }: AsJson & { readonly out?: string }, io: Io): Promise<void> {
  const text = `${JSON.stringify(bindingSchema(), null, 2)}\n`
  if (out === undefined) io.stdout.write(text)
  else {
    const path = resolve(io.cwd, out)
    await writeFileWhole(path, text)
    if (!printedAsJson(io, json, { out: path })) say(io.stdout, `wrote ${out}`)
  }
}
