import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { startReference } from '../../reference/server.ts'
import { checkExchanges, loadRecording, replay } from './fixtures.ts'
import { recordingOf, viewStory } from './testing.ts'

const story = recordingOf(viewStory())
afterAll(() => story.remove())

describe('assay/fixtures', () => {
  test('a recording is read one exchange after the other, as often as it is asked for', async () => {
    const recording = await loadRecording(story.path)
    for (let times = 0; times < 2; times += 1) {
      let count = 0
      for await (const { request } of recording.exchanges()) count += request.url.includes('/v1/config/view') ? 1 : 0
      expect(count).toBe(4)
    }
    await expect(loadRecording(`${story.path}/nowhere`)).rejects.toThrow('does not exist')
  })

  test('exchanges are judged by the rules, and what they break is named', async () => {
    const kept = await checkExchanges(viewStory(), { binding: 'reference' })
    expect(kept).toMatchObject({ exchanges: 4, findings: [] })
    expect(kept.held).toBeGreaterThan(0)
    const spoilt = viewStory()
    const last = spoilt.at(-1)
    if (last) last.response.content.text = JSON.stringify({ viewid: 'x', name: 'one', query: 'x' })
    const { findings } = await checkExchanges(spoilt, { binding: 'reference' })
    expect(findings.map(({ requirement }) => requirement)).toContain('VIEW-UPDATE')
    expect(findings[0]?.exchanges.length).toBeGreaterThan(0)
  })

  test('a recording is replayed against a target with ids of its own', async () => {
    const reference = await startReference({ newId: randomUUID })
    try {
      const { url, credentials } = reference
      const target = { baseUrl: url, credentials, binding: 'reference', consent: { modifyTarget: true } }
      const stories = viewStory().map((one) => ({
        ...one,
        request: { ...one.request, headers: HEADERS },
        response: { ...one.response, headers: ANSWERED },
      }))
      const own = recordingOf(stories)
      try {
        const { counts, differences } = await replay(own.path, { target })
        expect(counts).toMatchObject({ sent: 4, notSent: 0 })
        // The reference shows every field of a view; the story has only those that it sent.
        expect(differences.filter(({ kind }) => kind !== 'added')).toEqual([])
      } finally {
        own.remove()
      }
      await expect(replay(story.path, { target: { ...target, consent: {} } })).rejects.toThrow('consent.modifyTarget')
      const late = replay(story.path, { target: { ...target, timeout: 2_147_483_648 } })
      await expect(late).rejects.toThrow('target#/timeout: must be <= 2147483647')
    } finally {
      await reference.close()
    }
  })
})

const HEADERS = [
  { name: 'Authorization', value: 'Token <access-token:configured>' },
  { name: 'Content-Type', value: 'application/json' },
]
const ANSWERED = [{ name: 'Content-Type', value: 'application/json; charset=utf-8' }]
