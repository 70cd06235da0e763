import type { BindingFile } from '../../../schemas/binding.ts'
import { type ChangeRow, changesOf, rowsOf } from '../../faults/core/rows.ts'
import { without } from './changes.ts'
import type { Variant } from './variant.ts'

interface VariantRow extends ChangeRow, Pick<Variant, 'name' | 'about'> {
  /** what the variant does not promise: fields of things that it keeps in a form of its own, and answers to gaps */
  readonly normalises?: Readonly<Record<string, readonly string[]>>
  readonly answers?: NonNullable<BindingFile['answers']>
}

/** Variants that are no more than data. */
export function variantsIn(file: URL): readonly Variant[] {
  return rowsOf<VariantRow>(file).map((row): Variant => {
    const { name, about, normalises, answers } = row
    const binding = normalises || answers ? { binding: without(name, normalises ?? {}, answers) } : {}
    return { name, about, changes: () => changesOf(row), ...binding }
  })
}
