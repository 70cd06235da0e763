import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { listenAddress, listenProblem } from './listening.ts'

test.each(['', ' ', '\t'])('an empty host (%j) does not open a server to everybody', (host) => {
  expect(listenAddress(host, '0')).toMatchObject({ where: '--host', what: 'is empty' })
})

test.each(['', ' 80', '-1', '65536', '1e3', '0x50', '80.0'])('%j is no port', (port) => {
  expect(listenAddress('127.0.0.1', port)).toMatchObject({ where: '--port', hint: 'from 0 to 65535' })
})

async function failed(host: string, port: number): Promise<unknown> {
  const server = createServer()
  return await new Promise((resolve, reject) => {
    server.once('error', resolve)
    server.listen(port, host, () => server.close(() => reject(new Error('it listens'))))
  })
}

test('where nothing can listen, the option is named that has to change', async () => {
  const options = { port: '--port', host: '--host' }
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const { port } = taken.address() as { port: number }
  expect(listenProblem(await failed('127.0.0.1', port), 'x', options)).toEqual({
    where: 'x',
    what: 'something listens there already',
    hint: 'choose another --port; 0 means any free one',
  })
  taken.close()
  expect(listenProblem(await failed('192.0.2.1', 0), 'x', options)).toEqual({
    where: 'x',
    what: 'this machine does not have that address',
    hint: 'choose another --host',
  })
})
