import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

interface Thing {
  readonly name: string
  readonly parts: Map<string, string>
}

/**
 * A small service that no binding knows. The id of what it makes stands nowhere but in `Location`, and two things never
 * have one name. `first`: the first id that it gives. `base`: path in front of all. `origin`: as it calls itself in
 * addresses; '' for none, 'host' for the one that it was asked by.
 */
export function otherService(first: number, base: string, origin: string): RequestListener {
  const things = new Map<string, Thing>()
  let next = first
  const give = (): string => {
    next += 3
    return String(next)
  }
  const made = (response: ServerResponse, path: string): void => {
    const own = origin === 'host' ? `http://${response.req.headers.host}` : origin
    response.writeHead(201, { Location: `${own}${base}${path}` }).end()
  }
  const json = (response: ServerResponse, body: unknown, status = 200): void => {
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  }

  function answer(method: string, path: string, name: string, response: ServerResponse): void {
    const [, list, id = '', parts, part = ''] = path.split('/')
    const thing = things.get(id)
    if (list !== 'things') json(response, { error: 'no such path' }, 404)
    else if (id === '' && method === 'GET')
      json(response, { names: [...things.values()].map((one) => one.name).sort() })
    else if (id === '' && [...things.values()].some((one) => one.name === name)) json(response, { error: name }, 409)
    else if (id === '') {
      const fresh = give()
      things.set(fresh, { name, parts: new Map() })
      made(response, `/things/${fresh}`)
    } else if (!thing) json(response, { error: `there is no thing ${id}` }, 404)
    else if (parts === undefined && method === 'DELETE') {
      things.delete(id)
      response.writeHead(204).end()
    } else if (parts === undefined) json(response, { name: thing.name, parts: [...thing.parts.values()] })
    else if (part === '') {
      const fresh = give()
      thing.parts.set(fresh, name)
      made(response, `/things/${id}/parts/${fresh}`)
    } else if (!thing.parts.has(part)) json(response, { error: `thing ${id} has no part ${part}` }, 404)
    else {
      if (method === 'PUT') thing.parts.set(part, name)
      json(response, { part: thing.parts.get(part), of: thing.name })
    }
  }

  return (request: IncomingMessage, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      const { name = '' } = body === '' ? {} : (JSON.parse(body) as { name?: string })
      answer(request.method ?? '', (request.url ?? '').slice(base.length), name, response)
    })
  }
}

/**
 * What a client of it does, 28 requests one after the other: it makes, changes and removes, and makes again under the same
 * names. `prefix`: of these names. Returns how many requests it sent.
 */
export async function useOtherService(url: string, prefix: string): Promise<number> {
  let sent = 0
  async function ask(method: string, path: string, name?: string): Promise<string> {
    sent += 1
    const headers = { 'content-type': 'application/json' }
    const body = name === undefined ? {} : { body: JSON.stringify({ name }) }
    const answer = await fetch(`${url}${path}`, { method, headers, ...body })
    await answer.text()
    const location = answer.headers.get('location') ?? ''
    // Only an address of a name of its own leads past the proxy.
    const made = location.replace(/^http:\/\/other\.example[^?]*?(?=\/things)/, '').replace(url, '')
    if (location !== '' && !made.startsWith('/things')) throw new Error(`${location} leads past ${url}`)
    return made
  }
  for (let turn = 0; turn < 2; turn += 1) {
    const [one, two] = [`${prefix} one`, `${prefix} two`]
    const first = await ask('POST', '/things', one)
    await ask('GET', first)
    await ask('POST', '/things', one)
    const part = await ask('POST', `${first}/parts`, 'wheel')
    await ask('PUT', part, 'larger wheel')
    await ask('GET', part)
    await ask('DELETE', first)
    await ask('GET', part)
    const second = await ask('POST', '/things', one)
    const other = await ask('POST', '/things', two)
    await ask('GET', second)
    await ask('DELETE', other)
    await ask('GET', other)
    await ask('DELETE', second)
  }
  return sent
}
