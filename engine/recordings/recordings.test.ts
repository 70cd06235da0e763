import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openRecording } from '../../fixtures/recording/read.ts'
import { all } from '../../fixtures/testing/recording.ts'
import { resolveBinding, shippedBinding } from '../../schemas/binding.ts'
import { exchangesOf } from './recordings.ts'

const TARGET = 'http://logs.example.com'

test('an entry of HAR that holds more secrets than can be looked for loses its body, and that is said', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-har-'))
  try {
    const keys = Array.from({ length: 66_000 }, (_, index) => ({ key: `k${(index + 1) * 7_919}-made` }))
    const content = { mimeType: 'application/json', text: JSON.stringify(keys) }
    const request = { method: 'GET', url: `${TARGET}/v1/enterprise/keys`, headers: [] }
    const entry = { startedDateTime: '2026-01-01T00:00:00.000Z', time: 5, request, response: { status: 200, content } }
    const path = join(folder, 'in.har')
    writeFileSync(path, JSON.stringify({ log: { entries: [entry] } }))
    const problems: string[] = []
    const [read] = await all(
      exchangesOf(await openRecording(path), {
        binding: resolveBinding({ name: 'default', chain: ['default'], files: [shippedBinding('default')] }),
        target: TARGET,
        credentials: new Map(),
        ownerEmail: undefined,
        key: Buffer.from('k'),
        onProblem: ({ message }) => problems.push(message),
      }),
    )
    expect(read?.response.content).toMatchObject({ text: '', _cut: true })
    expect(problems).toEqual([`${path}: 1 entry lost its body: there are too many secrets to search for`])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
