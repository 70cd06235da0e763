import { randomUUID } from 'node:crypto'
import { cpSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { ownFolder } from '../fixtures/testing/folder.ts'
import { served } from '../fixtures/testing.ts'
import { startReference } from '../reference/server.ts'
import { exchange } from '../rules/testing.ts'
import { checkExchanges, loadRecording, replay } from './fixtures.ts'
import { recordingOf, sentTo, viewStory } from './testing.ts'

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

test('what a browser sent to others is not sent to the target, however many they are', async () => {
  const paths: string[] = []
  const baseUrl = await served(({ url = '' }, response) => {
    paths.push(url.split('/').slice(0, 4).join('/'))
    response.end('{}')
  })
  const others = Array.from({ length: 250 }, (_, index) =>
    sentTo(`https://${index}.example`, exchange('POST /collect', { start: index })),
  )
  const own = recordingOf([...others, ...viewStory()])
  await replay(own.path, {
    target: { baseUrl, credentials: {}, binding: 'reference', consent: { modifyTarget: true }, settleTimeout: 0 },
  })
  own.remove()
  expect(new Set(paths)).toEqual(new Set(['/v1/config/view']))
})

describe('what is no verdict', () => {
  const out = ownFolder()
  const target = { baseUrl: 'http://127.0.0.1:1', credentials: {}, consent: { modifyTarget: true } }
  const thrownBy = (action: Promise<unknown>): Promise<unknown> =>
    action.then(
      () => 'nothing',
      (thrown: { exitCode?: unknown; problems?: readonly { where: string; what: string }[] }) => ({
        exitCode: thrown.exitCode,
        problems: thrown.problems?.map(({ where, what }) => `${where}: ${what}`),
      }),
    )

  test.each<[string, object, string]>([
    ['no consent', { target: { ...target, consent: {} } }, 'http://127.0.0.1:1: the replay would send requests that'],
    ['no word of consent', { target: { baseUrl: target.baseUrl } }, 'http://127.0.0.1:1: the replay would send'],
    ['no target', {}, 'target: holds no configuration'],
    ['nothing at once', { concurrency: 0 }, 'concurrency: "0" is not a whole number of at least 1'],
    ['half a request at once', { concurrency: 1.5 }, 'concurrency: "1.5" is not a whole number of at least 1'],
    ['a speed below zero', { speed: -1 }, 'speed: "-1" is not a number of at least 0.001'],
    ['a speed that is no number', { speed: Number.NaN }, 'speed: "NaN" is not a number'],
    ['places of another form', { ignore: [{ nope: 1 }] }, 'options#/ignore/0'],
    ['a filter that is a text', { filter: 'get-view' }, 'filter: is not a list of texts'],
    ['a filter that finds nothing', { filter: ['get-pipeline'] }, '--filter: nothing in the recording is get-pipeline'],
    [
      'a certificate that is missing',
      { target: { ...target, tls: { ca: 'nowhere.pem' } } },
      'target#/tls/ca: no such file: nowhere.pem',
    ],
    ['a folder that cannot be', { out: join(import.meta.filename, 'out') }, 'a file stands where a folder is needed'],
    ['a binding that is not there', { target: { ...target, binding: 'nope' } }, 'nope'],
  ])('is thrown with an exit code and its problems: %s', async (_, options, problem) => {
    const all = (Object.keys(options).length === 0 ? {} : { target, ...options }) as Parameters<typeof replay>[1]
    expect(await thrownBy(replay(story.path, all))).toEqual({
      exitCode: 2,
      problems: expect.arrayContaining([expect.stringContaining(problem)]),
    })
  })

  test('all that is wrong with options is told at once', async () => {
    const wrong = replay(story.path, { target, speed: -1, concurrency: 0, filter: 'x' as never })
    expect(await thrownBy(wrong)).toMatchObject({ problems: { length: 3 } })
  })

  test('a target that cannot be reached is thrown with the exit code 3', async () => {
    expect(await thrownBy(replay(story.path, { target }))).toEqual({
      exitCode: 3,
      problems: [expect.stringMatching(/^http:\/\/127\.0\.0\.1:1: no connection \(.*ECONNREFUSED/)],
    })
    await expect(replay(story.path, { target })).rejects.toMatchObject({ report: { counts: { sent: 1 } } })
  })

  test('the recording is not removed to make room for the new exchanges', async () => {
    const own = join(out, 'evidence')
    cpSync(story.path, own, { recursive: true })
    symlinkSync(own, join(out, 'link'))
    for (const path of [own, join(out, 'link')]) {
      expect(await thrownBy(replay(path, { target, out }))).toEqual({
        exitCode: 2,
        problems: [expect.stringContaining('would overwrite the recording')],
      })
      expect(readdirSync(own)).toEqual(readdirSync(story.path))
    }
  })

  test('a time to settle that is none is refused', async () => {
    expect(await thrownBy(checkExchanges([], { settleTimeout: Number.NaN }))).toEqual({
      exitCode: 2,
      problems: ['settleTimeout: "NaN" is not a number of at least 0'],
    })
  })

  test('a recording that cannot be read is thrown as well, be it seen at once or on the way', async () => {
    expect(await thrownBy(loadRecording(`${story.path}/nowhere`))).toMatchObject({
      exitCode: 2,
      problems: { length: 1 },
    })
    const file = join(out, 'broken.har')
    writeFileSync(file, '{"log":')
    const recording = await loadRecording(file)
    expect(await thrownBy(checkExchanges(recording.exchanges()))).toEqual({
      exitCode: 2,
      problems: [expect.stringContaining('is neither HAR nor a segment')],
    })
    expect(await thrownBy(replay(file, { target }))).toMatchObject({ exitCode: 2, problems: { length: 1 } })
  })
})

const HEADERS = [
  { name: 'Authorization', value: 'Token <access-token:configured>' },
  { name: 'Content-Type', value: 'application/json' },
]
const ANSWERED = [{ name: 'Content-Type', value: 'application/json; charset=utf-8' }]
