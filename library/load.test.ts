import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { RecordingWriter } from '../fixtures/recording/write.ts'
import { ownFolder } from '../fixtures/testing/folder.ts'
import { exchange } from '../rules/testing.ts'
import { loadInProcess } from './load.ts'
import { recordingOf, sentTo, viewStory } from './testing.ts'

const folder = ownFolder()

async function recorded(binding: string | undefined): Promise<string> {
  const about = { tool: 'test', startedAt: '2026-01-01T00:00:00Z', ...(binding === undefined ? {} : { binding }) }
  const writer = new RecordingWriter(folder, { about })
  for (const one of viewStory()) writer.append(one)
  await writer.close()
  return folder
}

async function bindingFor(path: string, binding?: string): Promise<string> {
  return (await loadInProcess(path, binding === undefined ? {} : { binding })).binding
}

describe('a recording in place of a server', () => {
  test('is read under the binding that it was recorded with', async () => {
    const path = await recorded('reference')
    expect([await bindingFor(path), await bindingFor(path, 'default')]).toEqual(['reference', 'default'])
  })

  test('is read under the default binding where it names none', async () => {
    expect(await bindingFor(await recorded(undefined))).toBe('default')
  })

  test('answers for the server that is meant, and as that one, where a browser talked to others as well', async () => {
    const elsewhere = sentTo('https://cdn.example.net', exchange('GET /views.js', { start: 1 }))
    const both = recordingOf([elsewhere, ...viewStory()])
    const { origin, mock } = await loadInProcess(both.path, {})
    both.remove()
    expect([origin, mock.size()]).toEqual(['http://target.example.com', viewStory().length])
  })

  test('is refused in one line where it names a binding that is not at hand, unless one is given', async () => {
    const path = await recorded('mine')
    await expect(bindingFor(path)).rejects.toThrow(
      `${path}: the recording names the binding "mine", which does not ship with assay; give it as the option \`binding\`, or \`default\` to do without`,
    )
    const file = join(path, 'mine.json')
    writeFileSync(file, JSON.stringify({ formatVersion: 1, name: 'mine', extends: 'reference' }))
    expect([await bindingFor(path, file), await bindingFor(path, 'default')]).toEqual(['mine', 'default'])
  })

  test('is refused with an exit code and its problems where it cannot be read, or its base URL', async () => {
    const path = await recorded('reference')
    const empty = join(folder, 'empty.har')
    writeFileSync(empty, '{"log":{"entries":[]}}')
    const refused: [string, object, string][] = [
      [join(folder, 'nowhere'), {}, 'does not exist'],
      [empty, {}, 'holds no exchange'],
      [path, { baseUrl: 'x' }, 'is not a URL'],
    ]
    for (const [from, options, what] of refused) {
      await expect(loadInProcess(from, options)).rejects.toMatchObject({
        exitCode: 2,
        problems: [{ what: expect.stringContaining(what) }],
      })
    }
  })
})
