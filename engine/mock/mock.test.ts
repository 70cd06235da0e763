import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { loadMock } from '../../fixtures/mock/mock.ts'
import { streamOf } from '../../fixtures/testing/replay.ts'
import { listen } from '../../fixtures/testing.ts'
import { exchange, referenceBinding } from '../../rules/testing.ts'
import { loadBinding } from '../config/binding.ts'
import { type LoadedMock, type MockEvent, type RunningMock, startMock } from './mock.ts'

const HERE = { host: '127.0.0.1' }
const CALLER = { cwd: process.cwd(), env: {}, program: 'assay' }

async function loaded(): Promise<LoadedMock> {
  const options = { binding: referenceBinding(), recordedBase: '', servedBase: '', wholeBody: () => undefined }
  const mock = await loadMock(streamOf([exchange('GET /v1/config/view', { got: ['ours'] })]), options)
  return { mock, notes: [], bindingData: loadBinding('reference', process.cwd()) }
}

async function freePort(): Promise<number> {
  const { port, close } = await listen(createServer())
  await close()
  return port
}

test('a taken port is told before the recording is read', async () => {
  const { port, close } = await listen(createServer())
  let reads = 0
  const started = startMock(
    'any',
    { ...HERE, port },
    CALLER,
    () => {},
    () => {
      reads += 1
      return loaded()
    },
  )
  await expect(started).rejects.toThrow('something listens there already')
  expect(reads).toBe(0)
  await close()
})

test('requests that come while the recording is read wait for it', async () => {
  const port = await freePort()
  let read = (): void => {}
  const reading = new Promise<void>((resolve) => {
    read = resolve
  })
  const starting = startMock(
    'any',
    { ...HERE, port },
    CALLER,
    () => {},
    async () => {
      await reading
      return loaded()
    },
  )
  const early = fetch(`http://127.0.0.1:${port}/v1/config/view`)
  read()
  const running: RunningMock = await starting
  expect(await (await early).json()).toEqual(['ours'])
  await running.close()
})

test('a recording that cannot be read frees the port', async () => {
  const port = await freePort()
  const events: MockEvent[] = []
  await expect(startMock('/nowhere', { ...HERE, port }, CALLER, (event) => events.push(event))).rejects.toThrow(
    '/nowhere',
  )
  await (await listen(createServer())).close()
  await new Promise<void>((resolve, reject) => {
    const server = createServer()
      .once('error', reject)
      .listen(port, '127.0.0.1', () => server.close(() => resolve()))
  })
  expect(events).toEqual([])
})
