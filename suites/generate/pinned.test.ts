import { expect, test } from 'vitest'
import { fields, specificationSet } from './fields.ts'
import { drawProbes } from './probes.ts'
import { requestRefs } from './testing/request-refs.ts'
import { lift, serialise } from './values/body.ts'

const SEED = 20_240

/**
 * A run can be repeated from its seed only as long as the same seed draws the same values. So a change here is a change
 * for users.
 */
test('the same seed draws the values that it always drew', async () => {
  const lines: string[] = []
  for (const ref of requestRefs()) {
    for (const field of fields(specificationSet(), ref)) {
      const texts = drawProbes(field, SEED, 3).map(
        ({ kind, keyword, value }) => `${kind} ${keyword} ${cut(serialise(lift(undefined, '', value)))}`,
      )
      if (texts.length > 0) lines.push(`${ref} ${field.pointer} ${texts.join(' | ')}`)
    }
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('./testing/pinned.txt')
})

function cut(text = ''): string {
  return text.length <= 60 ? text : `${text.slice(0, 50)}… ${text.length}`
}
