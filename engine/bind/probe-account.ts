import { at } from '../../schemas/pointer.ts'
import { fillTemplate } from '../../schemas/template.ts'
import type { Answer } from './client.ts'
import { type Fields, isRecord, leavesOf, parentOf } from './places.ts'
import { ask, isNothing, note, operationOf, type Probe, said, samplesOf } from './probing.ts'
import { mended } from './refusal.ts'
import { plain, waysOf } from './vocabulary.ts'

/** What acts on the whole account: archiving and the suspension of ingestion. Each is left as it was. */
export async function probeAccount(probe: Probe): Promise<void> {
  await probeArchiving(probe)
  await probeSuspension(probe)
}

/** Paths of an operation, the shipped one first; with the method that each pattern names. */
function waysFrom(probe: Probe, id: string): { method: string; path: string }[] {
  const known = operationOf(probe, id)
  const all = [...(known ? [{ method: known.method, path: known.path }] : []), ...waysOf(id)]
  return [...new Map(all.map((way) => [`${way.method} ${way.path}`, way])).values()]
}

const MOST_WAYS = 150

async function probeArchiving(probe: Probe): Promise<void> {
  const ways = waysFrom(probe, 'get-archiving').slice(0, MOST_WAYS)
  const places: string[] = []
  for (const { path } of ways) {
    const answer = await ask(probe, 'GET', path)
    // Where nothing is configured a 404 is right: it then differs from that of a path that there is not.
    if (isNothing(probe, path, answer) || (answer.status !== 404 && !answer.ok)) continue
    if (answer.ok) return noteArchiving(probe, path, answer, 'likely')
    places.push(path)
  }
  if (places.length === 0) {
    probe.findings.open.set(
      'get-archiving',
      `none of ${ways.length} paths returned anything but what unknown paths return`,
    )
  } else if (!probe.agreed.modify || !probe.agreed.archiving) {
    probe.findings.open.set(
      'get-archiving',
      `GET ${places[0]} may be it; to see it at work, agree with consent.archiving`,
    )
  } else for (const path of places) if (await setUpArchiving(probe, path)) return
}

function noteArchiving(probe: Probe, path: string, answer: Answer, sure: 'likely' | 'proven'): void {
  const kind = leavesOf(answer.json).find(
    ({ name, value }) => typeof value === 'string' && /^(integration|kind|type|provider)$/.test(plain(name)),
  )
  note(probe, {
    id: 'get-archiving',
    method: 'GET',
    path,
    answer: kind ? { record: parentOf(kind.pointer), id: kind.pointer } : {},
    status: answer.status,
    from: `probe: ${said('GET', path, answer)}`,
    sure,
  })
}

/** Sets it up, changes it and removes it again; whether that was possible. */
async function setUpArchiving(probe: Probe, path: string): Promise<boolean> {
  const thing = await probe.ledger.making('archiving', `${probe.ledger.prefix}-archiving`, {})
  const first = samplesOf(probe, 'create-archiving')[0] ?? {}
  const { answer, template } = await createArchiving(probe, path, first)
  if (!answer.ok || !template) {
    await probe.ledger.notMade(thing)
    probe.findings.open.set('create-archiving', `${said('POST', path, answer)}; no sample body was accepted`)
    return false
  }
  const kind = Object.keys(template).find((name) => template?.[name] === first.integration) ?? 'integration'
  const read = await ask(probe, 'GET', path)
  const place = (json: unknown): Record<string, string> => {
    const leaf = leavesOf(json).find(({ name, value }) => name === kind && value === first.integration)
    return leaf ? { record: parentOf(leaf.pointer), id: leaf.pointer } : {}
  }
  await probe.ledger.made(thing, String(first.integration))
  note(probe, {
    id: 'create-archiving',
    method: 'POST',
    path,
    body: template,
    answer: place(answer.json),
    status: answer.status,
    from: `probe: ${said('POST', path, answer)}`,
    sure: 'proven',
  })
  if (read.ok) {
    note(probe, {
      id: 'get-archiving',
      method: 'GET',
      path,
      answer: place(read.json),
      status: read.status,
      from: `probe: ${said('GET', path, read)} with what was set up`,
      sure: 'proven',
    })
  }
  await changeArchiving(probe, path, { kind, pointer: place(read.json).id ?? '' })
  const removal = await ask(probe, 'DELETE', path)
  const after = await ask(probe, 'GET', path)
  if (!removal.ok || after.ok) return true
  await probe.ledger.removed(thing)
  note(probe, {
    id: 'delete-archiving',
    method: 'DELETE',
    path,
    status: removal.status,
    from: `probe: ${said('DELETE', path, removal)}, and it is gone`,
    sure: 'proven',
  })
  return true
}

/** Sends a sample, and mends it as refusals say; the last answer, and what it was given to. */
async function createArchiving(
  probe: Probe,
  path: string,
  sample: Fields,
): Promise<{ readonly answer: Answer; readonly template: Fields | undefined }> {
  let template: Fields | undefined = sample
  let answer = await ask(probe, 'POST', path, sample)
  for (let attempt = 0; !answer.ok && attempt < 4; attempt += 1) {
    template = mended(template, answer.json, 'archiving')
    if (!template) break
    answer = await ask(probe, 'POST', path, template)
  }
  return { answer, template }
}

/** Changes what was set up, by either method. `kind`, `pointer`: the target's name and the place of what is changed. */
async function changeArchiving(
  probe: Probe,
  path: string,
  { kind, pointer }: { readonly kind: string; readonly pointer: string },
): Promise<void> {
  const other = samplesOf(probe, 'update-archiving')[0] ?? {}
  const changed = Object.fromEntries(
    Object.entries(other).map(([name, value]) => [name === 'integration' ? kind : name, value]),
  )
  for (const method of ['PUT', 'PATCH']) {
    const update = await ask(probe, method, path, changed)
    const now = update.ok ? await ask(probe, 'GET', path) : undefined
    if (!now?.ok || at(now.json, pointer) !== other.integration) continue
    const told = leavesOf(update.json).find(({ name, value }) => name === kind && value === other.integration)
    note(probe, {
      id: 'update-archiving',
      method,
      path,
      body: changed,
      answer: told ? { record: parentOf(told.pointer) } : {},
      status: update.status,
      from: `probe: ${said(method, path, update)}, and the read shows the change`,
      sure: 'proven',
    })
    return
  }
}

/** A leaf that says whether lines are taken in: our name of it, by the name of the field. */
function statusIn(json: unknown): Record<string, string> | undefined {
  for (const { name, value, pointer } of leavesOf(json)) {
    if (typeof value !== 'boolean') continue
    const word = plain(name)
    if (/suspend|pause|stop|halt/.test(word)) return { suspended: pointer }
    if (/ingest|active|running|enabled|accept/.test(word)) return { ingesting: pointer }
  }
  return undefined
}

async function probeSuspension(probe: Probe): Promise<void> {
  let status: { path: string; place: Record<string, string> } | undefined
  for (const { path } of waysFrom(probe, 'get-ingestion-status').slice(0, MOST_WAYS)) {
    const answer = await ask(probe, 'GET', path)
    const place = answer.ok && !isNothing(probe, path, answer) ? statusIn(answer.json) : undefined
    if (!place) continue
    status = { path, place }
    note(probe, {
      id: 'get-ingestion-status',
      method: 'GET',
      path,
      answer: place,
      status: answer.status,
      from: `probe: ${said('GET', path, answer)}`,
      sure: 'likely',
    })
    break
  }
  if (!status) return void probe.findings.open.set('get-ingestion-status', 'no path returned a flag that tells it')
  if (!probe.agreed.modify || !probe.agreed.suspend) {
    probe.findings.open.set('suspend-ingestion', 'to see it at work, agree with consent.suspend')
    return
  }
  await suspendOnce(probe, status)
}

async function suspendOnce(
  probe: Probe,
  { path, place }: { path: string; place: Record<string, string> },
): Promise<void> {
  const isSuspended = async (): Promise<boolean | undefined> => {
    const { json, ok } = await ask(probe, 'GET', path)
    const value = at(json, place.suspended ?? place.ingesting ?? '')
    return ok && typeof value === 'boolean' ? value === (place.suspended !== undefined) : undefined
  }
  if ((await isSuspended()) !== false) return
  // Where a target resumes is known before anything is suspended, or tried afterwards in every way there is.
  const thing = await probe.ledger.making('suspension', 'suspension', {})
  for (const { method, path: suspend } of waysFrom(probe, 'suspend-ingestion').slice(0, MOST_WAYS)) {
    const first = await ask(probe, method, suspend)
    if (!first.ok || isNothing(probe, suspend, first)) continue
    const token = leavesOf(first.json).find(({ value }) => typeof value === 'string' && value.length >= 8)
    const from = `probe: ${said(method, suspend, first)}`
    note(probe, {
      id: 'suspend-ingestion',
      method,
      path: suspend,
      answer: token ? { token: token.pointer } : {},
      status: first.status,
      from,
      sure: 'likely',
    })
    if (token) await confirm(probe, { name: token.name, value: String(token.value) }, suspend, isSuspended)
    break
  }
  const suspended = await isSuspended()
  const resumed = await resume(probe, isSuspended, suspended === true)
  if (resumed) await probe.ledger.removed(thing)
  const found = probe.findings.operations.get('get-ingestion-status')
  if (found && suspended === true && resumed) note(probe, { ...found, sure: 'proven' })
}

async function confirm(
  probe: Probe,
  token: { readonly name: string; readonly value: string },
  suspend: string,
  isSuspended: () => Promise<boolean | undefined>,
): Promise<void> {
  const sample = samplesOf(probe, 'confirm-suspension')[0] ?? { token: '{{token}}' }
  const ways = [
    ...waysFrom(probe, 'confirm-suspension').slice(0, 1),
    { method: 'POST', path: `${suspend}/confirm` },
    { method: 'PUT', path: suspend },
    ...waysFrom(probe, 'confirm-suspension').slice(1, MOST_WAYS),
  ]
  for (const { method, path } of ways) {
    for (const template of [sample, ...(token.name === 'token' ? [] : [{ [token.name]: '{{token}}' }])]) {
      const answer = await ask(probe, method, path, fillTemplate(template, { token: token.value }))
      if (answer.status === 404 || isNothing(probe, path, answer)) break
      if (!answer.ok || (await isSuspended()) !== true) continue
      const status = isRecord(answer.json) && typeof answer.json.status === 'string' ? { status: '/status' } : undefined
      note(probe, {
        id: 'confirm-suspension',
        method,
        path,
        body: template as Fields,
        ...(status ? { answer: status } : {}),
        status: answer.status,
        from: `probe: ${said(method, path, answer)}, and the status shows it`,
        sure: 'proven',
      })
      const first = probe.findings.operations.get('suspend-ingestion')
      if (first) note(probe, { ...first, sure: 'proven' })
      return
    }
  }
  probe.findings.open.set('confirm-suspension', 'no second call suspended')
}

async function resume(
  probe: Probe,
  isSuspended: () => Promise<boolean | undefined>,
  wasSuspended: boolean,
): Promise<boolean> {
  const suspend = probe.findings.operations.get('suspend-ingestion')?.path ?? ''
  const beside = [
    { method: 'DELETE', path: suspend },
    { method: 'POST', path: `${parentOf(suspend)}/resume` },
  ]
  const [known, ...others] = waysFrom(probe, 'resume-ingestion')
  const ways = [...(known ? [known] : []), ...(suspend === '' ? [] : beside), ...others]
  for (const { method, path } of ways) {
    const answer = await ask(probe, method, path)
    if (!answer.ok || isNothing(probe, path, answer) || (await isSuspended()) !== false) continue
    const status = isRecord(answer.json) && typeof answer.json.status === 'string' ? { status: '/status' } : undefined
    note(probe, {
      id: 'resume-ingestion',
      method,
      path,
      ...(status ? { answer: status } : {}),
      status: answer.status,
      from: `probe: ${said(method, path, answer)}, and lines are taken in again`,
      sure: wasSuspended ? 'proven' : 'likely',
    })
    return true
  }
  return (await isSuspended()) === false
}
