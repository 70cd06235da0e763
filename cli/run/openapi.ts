import { resolve } from 'node:path'
import { NO_BINDING } from '../../engine/config/binding.ts'
import { givenBinding } from '../../engine/config/chosen-binding.ts'
import { writeFileWhole } from '../../reports/formats/write.ts'
import { resolveBinding } from '../../schemas/binding.ts'
import { openApiDocument } from '../../schemas/openapi/document.ts'
import { type Io, printedAsJson, say } from '../terminal/io.ts'
import type { BindingVerbOptions } from './binding.ts'

/** What the command line gives. */
export interface OpenApiOptions extends BindingVerbOptions {
  readonly out?: string
}

/** Prints the document, or writes it to a file. @throws UsageError for a configuration, binding or file that is not right */
export async function runOpenApi(options: OpenApiOptions, io: Io): Promise<void> {
  const { data } = (await givenBinding(options, io)) ?? { data: NO_BINDING }
  const document = openApiDocument(resolveBinding(data))
  const text = `${JSON.stringify(document, null, 2)}\n`
  if (options.out === undefined) io.stdout.write(text)
  else {
    const path = resolve(io.cwd, options.out)
    await writeFileWhole(path, text)
    const operations = Object.values(document.paths ?? {}).reduce((sum, one) => sum + Object.keys(one).length, 0)
    if (!printedAsJson(io, options.json, { out: path, operations })) say(io.stderr, `wrote ${options.out}`)
  }
}
