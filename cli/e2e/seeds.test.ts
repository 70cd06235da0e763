import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { type SentRequest, sentIn } from './testing/sent.ts'
import { test, type World } from './testing/world.ts'

async function certify(world: World, out: string, args: readonly string[]): Promise<Map<string, SentRequest[]>> {
  const { code, stderr } = await world.assay([
    'certify',
    '--embedded',
    '--profile',
    'quick',
    '--allow-partial',
    '--out',
    out,
    ...args,
  ])
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
  return sentIn(join(world.folder, out))
}

const texts = (sent: readonly SentRequest[] | undefined): string[] => (sent ?? []).map(({ text }) => text)

describe('the seed of a run', () => {
  test('decides what is sent, case by case, whatever else is run', async ({ world }) => {
    const [first, again, other, part] = await Promise.all([
      certify(world, 'first', ['--seed', '7']),
      certify(world, 'again', ['--seed', '7', '--concurrency', '3']),
      certify(world, 'other', ['--seed', '8', '--only', 'update-source']),
      certify(world, 'part', ['--seed', '7', '--only', 'NODE-TITLE-MAX']),
    ])
    expect(first.size).toBeGreaterThan(100)
    expect([...first.values()].flat().length).toBeGreaterThan(1000)
    expect([...again.keys()].sort()).toEqual([...first.keys()].sort())
    for (const [id, sent] of first) expect({ id, sent: texts(again.get(id)) }).toEqual({ id, sent: texts(sent) })

    const fields = [...other].filter(([id]) => id.startsWith('update-source/'))
    const changed = fields.filter(([id, sent]) => texts(first.get(id)).join() !== texts(sent).join())
    expect(fields.length).toBeGreaterThan(5)
    expect(changed.length).toBeGreaterThan(fields.length / 2)

    // one requirement alone is tried with the very requests that the whole run tried it with
    const probes = (sent: readonly SentRequest[] | undefined): string[] =>
      (sent ?? []).filter(({ requirement }) => requirement === 'NODE-TITLE-MAX').map(({ text }) => withoutPlace(text))
    const cases = [...part].filter(([, sent]) => probes(sent).length > 0)
    expect(cases.length).toBeGreaterThan(1)
    for (const [id, sent] of cases) expect({ id, sent: probes(sent) }).toEqual({ id, sent: probes(first.get(id)) })
    expect([...part.values()].flat().length).toBeLessThan(500)
  })
})

/** Without what counts through a case: twin groups, names, the ids and generations of what it made. */
function withoutPlace(text: string): string {
  return text
    .replaceAll(/"group":"[^"]*"/g, '"group"')
    .replaceAll(/<id \d+>/g, '<id>')
    .replaceAll(/(generation_id\W+)\d+/g, '$1')
    .replaceAll(/(<prefix>-\w+)-\d+/g, '$1')
}
