// mockttp as a recording proxy, as its documents show it: it forwards everything, and writes down all that passes.
import { createWriteStream } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const [, , folder, port, target, file] = process.argv
const mockttp = createRequire(join(folder, 'package.json'))('mockttp')
const out = createWriteStream(file)
const requests = new Map()

const server = mockttp.getLocal({ recordTraffic: false })
await server.on('request', async (request) => {
  requests.set(request.id, {
    method: request.method,
    url: request.url,
    headers: request.rawHeaders,
    body: await request.body.getText(),
  })
})
await server.on('response', async (response) => {
  const request = requests.get(response.id)
  requests.delete(response.id)
  const { statusCode, rawHeaders, body } = response
  out.write(
    `${JSON.stringify({ request, response: { statusCode, headers: rawHeaders, body: await body.getText() } })}\n`,
  )
})
await server.on('abort', ({ id }) => requests.delete(id))
await server.forAnyRequest().thenForwardTo(target)
await server.start(Number(port))
