import { type Outgoing, openSession, type Session } from '../../fixtures/http/session.ts'
import { RecordingWriter } from '../../fixtures/recording/write.ts'
import { createRedactor } from '../../fixtures/redact/run.ts'

/** What one client of the mix works with. */
export interface Client {
  readonly number: number
  readonly pipeline: string
  readonly transform: string
}

/** A request of the mix, as any load generator can send it. */
export interface MixRequest {
  readonly method: 'GET' | 'PUT' | 'POST'
  readonly path: string
  readonly body: string | undefined
  readonly operation: string
}

const JSON_TYPE = { name: 'Content-Type', value: 'application/json' }

/** A session with the target that the mix is made at. */
export function openMixSession(baseUrl: string, token: string, connections: number): Session {
  return openSession({
    baseUrl,
    timeoutMs: 30_000,
    connections,
    maxBodyBytes: 1 << 20,
    headers: {},
    tls: {},
    proxy: undefined,
    redactor: createRedactor(new Map([[token, 'access-token']])),
    idPrefix: '',
  })
}

/** Makes a pipeline and a transform for each client. */
export async function makeClients(session: Session, token: string, count: number): Promise<Client[]> {
  const made = async (path: string, body: object): Promise<string> => {
    const { response } = await session.send(outgoing('POST', path, JSON.stringify(body), '', token))
    return (JSON.parse(response.content.text ?? '') as { data: { id: string } }).data.id
  }
  const clients: Client[] = []
  for (let number = 1; number <= count; number += 1) {
    const common = { title: `client ${number}`, description: 'of a benchmark', deploy_type: 'saas' }
    const pipeline = await made('/v3/pipeline', common)
    const node = { ...common, type: 'sample', user_config: { rate: 100 }, inputs: [] }
    clients.push({ number, pipeline, transform: await made(`/v3/pipeline/${pipeline}/transform`, node) })
  }
  return clients
}

/** Reads and updates as a configuration tool sends them: three reads to one update. */
export function mixOf({ pipeline, transform, number }: Client): MixRequest[] {
  const path = `/v3/pipeline/${pipeline}/transform/${transform}`
  const body = {
    user_config: { rate: 50 },
    generation_id: 1,
    inputs: [],
    title: `client ${number} again`,
    description: 'x'.repeat(600),
    deploy_type: 'saas',
  }
  return [
    { method: 'GET', path: `/v3/pipeline/${pipeline}`, body: undefined, operation: 'get-pipeline' },
    { method: 'PUT', path, body: JSON.stringify(body), operation: 'update-transform' },
    { method: 'GET', path, body: undefined, operation: 'get-transform' },
    { method: 'GET', path: '/v1/config/view', body: undefined, operation: 'list-views' },
  ]
}

function outgoing(method: string, path: string, body: string | undefined, operation: string, token: string): Outgoing {
  return {
    method,
    path,
    headers: [{ name: 'Authorization', value: `Token ${token}` }, ...(body === undefined ? [] : [JSON_TYPE])],
    body,
    credentials: [{ scheme: 'access-token', state: 'configured' }],
    operation: operation === '' ? undefined : operation,
    caseId: undefined,
    intent: undefined,
  }
}

/**
 * Sends so many requests and writes a recording of them. Each client repeats its mix over a connection of its own, all
 * at the same time.
 */
export async function writeRecording(
  folder: string,
  session: Session,
  token: string,
  clients: readonly Client[],
  count: number,
): Promise<void> {
  const writer = new RecordingWriter(folder, { compress: false })
  let begun = 0
  await Promise.all(
    clients.map(async (client, place) => {
      const mix = mixOf(client).map(({ method, path, body, operation }) =>
        outgoing(method, path, body, operation, token),
      )
      // A first round changes what the others find.
      for (const request of mix) await session.send(request)
      for (let turn = 0; begun < count; turn += 1) {
        begun += 1
        const request = mix[turn % mix.length]
        if (request) writer.append({ ...(await session.send(request)), _connection: place + 1 })
      }
    }),
  )
  const { lost } = await writer.close()
  if (lost > 0) throw new Error(`${lost} exchanges could not be written`)
}
