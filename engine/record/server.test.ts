import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { limitConnections, openFilesLimit } from './server.ts'

/** How many of so many clients at once get an answer from a server of a process with such a limit, and how many are counted. */
async function served(limit: number | undefined, clients: number): Promise<{ answered: number; turnedAway: number }> {
  let turnedAway = 0
  const waiting: (() => void)[] = []
  const server = createServer((_request, response) => {
    waiting.push(() => response.end())
    if (waiting.length === clients - turnedAway) for (const answer of waiting) answer()
  })
  limitConnections(server, limit, () => {
    turnedAway += 1
    if (waiting.length === clients - turnedAway) for (const answer of waiting) answer()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const ask = (): Promise<boolean> =>
    new Promise((resolve) => {
      get({ port, agent: false }, (answer) => answer.resume().once('end', () => resolve(true))).once('error', () =>
        resolve(false),
      )
    })
  const answers = await Promise.all(Array.from({ length: clients }, ask))
  server.closeAllConnections()
  server.close()
  return { answered: answers.filter(Boolean).length, turnedAway }
}

test('clients for whom there are no files left are turned away, and counted', async () => {
  expect(await served(80, 20)).toEqual({ answered: 16, turnedAway: 4 })
  expect(await served(10, 20)).toEqual({ answered: 8, turnedAway: 12 })
})

test('where there is room, or nobody knows how much, all are taken', async () => {
  expect(await served(4_096, 20)).toEqual({ answered: 20, turnedAway: 0 })
  expect(await served(undefined, 20)).toEqual({ answered: 20, turnedAway: 0 })
})

test('the limit of this process is a number, where there is one', () => {
  const limit = openFilesLimit()
  if (limit !== undefined) expect(limit).toBeGreaterThan(16)
})
