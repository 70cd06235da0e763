import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { resolveBinding } from '../../schemas/binding.ts'
import { openApiDocument } from '../../schemas/openapi/document.ts'
import { loadBinding, NO_BINDING } from '../binding.ts'
import { chosenBinding } from '../chosen-binding.ts'
import { UsageError } from '../errors.ts'
import { EXIT } from '../exit-codes.ts'
import { exitWith, type Io } from '../io.ts'

/** What the command line gives. */
export interface OpenApiOptions {
  readonly config?: string
  readonly binding?: string
  readonly out?: string
  readonly json?: boolean
}

/** Prints the document, or writes it to a file. @throws UsageError for a configuration, binding or file that is not right */
export async function runOpenApi(options: OpenApiOptions, io: Io): Promise<void> {
  const chosen = await chosenBinding(options, io)
  const data = chosen === undefined ? NO_BINDING : loadBinding(chosen.name, chosen.dir)
  const document = openApiDocument(resolveBinding(data))
  const text = `${JSON.stringify(document, null, 2)}\n`
  if (options.out === undefined) io.stdout.write(text)
  else {
    write(resolve(io.cwd, options.out), text)
    const operations = Object.values(document.paths ?? {}).reduce((sum, path) => sum + Object.keys(path).length, 0)
    if (options.json === true) io.stdout.write(`${JSON.stringify({ out: resolve(io.cwd, options.out), operations })}\n`)
    else io.stderr.write(`wrote ${options.out}\n`)
  }
  exitWith(io, EXIT.ok)
}

function write(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  } catch (thrown) {
    const what = thrown instanceof Error ? thrown.message : String(thrown)
    throw new UsageError({ where: '--out', what, hint: 'choose a file that can be written' })
  }
}
