import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { RecordingError } from '../../fixtures/recording/read.ts'
import { openSegment } from '../../fixtures/segments/write.ts'
import { aGroup } from '../../reports/testing.ts'
import { exchange } from '../../rules/testing.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import { type ExampleSources, withExamples } from './report.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-examples-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const clean = (one: Exchange): Exchange => ({
  ...one,
  response: { ...one.response, content: { ...one.response.content, text: 'cleaned' } },
})

/** Sources with the exchange `a` in the recording, which cannot be read after it, and `b` in the evidence. */
function sources(): ExampleSources {
  const segment = openSegment(folder, 'exchanges', '1')
  segment.append(exchange('PUT /v1/config/view/1', { id: 'b', sent: { name: 'x' }, got: { name: 'two' } }))
  segment.close()
  async function* recorded(): AsyncGenerator<Exchange> {
    yield exchange('PUT /v1/config/view/1', { id: 'a', got: { name: 'one' } })
    throw new RecordingError('is cut off')
  }
  return { recording: { exchanges: recorded }, evidence: folder, clean }
}

test('an example has both answers: the recorded one without secrets, the new one from the evidence', async () => {
  const [group] = await withExamples([aGroup()], sources())
  expect(group?.example).toMatchObject({
    sent: '{"name":"x"}',
    recordedAnswer: { status: 200, outcome: 'complete', body: 'cleaned' },
    replayedAnswer: { status: 200, outcome: 'complete', body: '{"name":"two"}' },
  })
})

test('an exchange that cannot be read leaves its example as it was', async () => {
  const group = aGroup({ example: { recorded: 'later', replayed: 'b', request: 'GET /' } })
  expect(await withExamples([group], sources())).toEqual([group])
})
