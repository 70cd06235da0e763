import { type ClientRequest, type IncomingMessage, type RequestListener, request, type ServerResponse } from 'node:http'

const JSON_TYPE = { 'content-type': 'application/json' }

/** Answers every request with one status and one body. */
export function always(status: number, body: string, type = 'application/json'): RequestListener {
  return (_request, response) => response.writeHead(status, { 'content-type': type }).end(body)
}

/** Never answers. */
export const silent: RequestListener = () => {}

/** Promises a body, sends its beginning and closes the connection. */
export const breaksOff: RequestListener = (_request, response) => {
  response.writeHead(200, { ...JSON_TYPE, 'content-length': '1000' })
  response.write('[{"id":', () => setTimeout(() => response.destroy(), 20))
}

/** Closes the connection without an answer. */
export const hangsUp: RequestListener = (incoming) => incoming.socket.destroy()

/** Sends requests on to another server; `path` turns the path of a request into that of the other server. */
export function forward(url: string, path: (path: string) => string = (same) => same): RequestListener {
  const { hostname, port } = new URL(url)
  return (incoming: IncomingMessage, response: ServerResponse) => {
    const { method, headers, url: asked = '/' } = incoming
    const onward: ClientRequest = request({ hostname, port, path: path(asked), method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    incoming.pipe(onward)
  }
}
