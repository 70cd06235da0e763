// What ours is measured against: http-proxy alone, with the keep-alive agent that everybody would give it.
import { Agent, createServer } from 'node:http'
import httpProxy from 'http-proxy'
import { reportPort } from './messages.ts'

const proxy = httpProxy.createProxyServer({
  target: process.argv[2] ?? '',
  agent: new Agent({ keepAlive: true, maxFreeSockets: 256 }),
})
proxy.on('error', (_error, _request, response) => {
  if ('writeHead' in response && !response.headersSent) response.writeHead(502)
  response.end()
})
process.on('disconnect', () => process.exit())
reportPort(createServer((request, response) => proxy.web(request, response)))
