import { join } from 'node:path'
import { bindingInHar, HAR_BINDING } from '../../fixtures/har/har.ts'
import { FileFault, readPlainJson, writeOwn } from '../../fixtures/plain-file.ts'
import type { Recording } from '../../fixtures/recording/read.ts'
import { type BindingData, shippedBindings } from '../../schemas/binding.ts'
import { loadBinding, readBindingData } from '../config/binding.ts'
import type { FoundBinding } from '../config/chosen-binding.ts'
import { UsageError } from '../errors.ts'
import { factsIn } from '../judge/facts.ts'
import { writeProblem } from '../writable.ts'

/** The file of a recording that holds the whole binding that it was recorded with. */
export const BINDING_FILE = 'binding.json'

/** The default binding: what is publicly documented. */
const LAST = 'default'

/**
 * The binding for reading recordings. It is the one that the user names; else that of the first recording that carries
 * or names one; else `default`.
 * @throws UsageError for a binding of somebody's own that a recording only names
 */
export function bindingFor(
  recordings: readonly Pick<Recording, 'about' | 'path' | 'folder' | 'kind'>[],
  given?: FoundBinding,
): FoundBinding {
  if (given) return given
  for (const recording of recordings) {
    const own = carried(recording)
    if (own) return recordings.length === 1 ? { ...own, carried: true } : own
    const found = named(recording)
    if (found) return found
  }
  return { data: loadBinding(LAST, '.'), from: 'nobody names another' }
}

/** `read by the binding mine (of the recording, rec/binding.json)` */
export function bindingInWords({ data, from }: FoundBinding): string {
  return `read by the binding ${data.name === '' ? 'of nobody' : JSON.stringify(data.name)} (${from})`
}

function carried(recording: Pick<Recording, 'folder' | 'path' | 'kind'>): FoundBinding | undefined {
  const { folder, kind, path: file } = recording
  if (kind === 'har') {
    const value = bindingInHar(file)
    if (value === undefined) return undefined
    return { data: readBindingData(value, `${file}#/log/${HAR_BINDING}`), from: 'that of the HAR file' }
  }
  const facts = factsIn({ folder })
  if (facts) return { data: facts.binding, from: 'that of the run' }
  const path = join(folder, BINDING_FILE)
  try {
    return { data: readBindingData(readPlainJson(path, 'found').value, path), from: 'that of the recording' }
  } catch (thrown) {
    if (!(thrown instanceof FileFault)) throw thrown
    if (thrown.code === 'ENOENT') return undefined
    throw new UsageError({ where: path, what: thrown.message, hint: 'choose another one with --binding' })
  }
}

/** Older recordings hold no more than the name: only what ships with assay is found by it. */
function named({ about, path }: Pick<Recording, 'about' | 'path'>): FoundBinding | undefined {
  const name = about?.binding
  if (name === undefined || name === '') return undefined
  if (shippedBindings().includes(name)) return { data: loadBinding(name, '.'), from: 'the recording names it' }
  throw new UsageError({
    where: path,
    what: `the recording names the binding ${JSON.stringify(name)}, which does not ship with assay`,
    hint: 'give it with --binding FILE, or with --config FILE',
  })
}

/** A binding as a recording carries it; undefined: there is none. Places of files are those of this machine, and stay here. */
export function carriedForm({ sources: _places, ...data }: BindingData): BindingData | undefined {
  return data.files.length === 0 ? undefined : data
}

/** Writes a binding into a recording. @throws UsageError */
export function carryBinding(folder: string, binding: BindingData): void {
  const data = carriedForm(binding)
  if (data === undefined) return
  const path = join(folder, BINDING_FILE)
  try {
    writeOwn(path, `${JSON.stringify(data)}\n`)
  } catch (thrown) {
    throw new UsageError(writeProblem(thrown, path))
  }
}
