import { at } from '../../schemas/pointer.ts'
import { fillTemplate } from '../../schemas/template.ts'
import type { Answer } from './client.ts'
import { type Fields, leavesOf, parentOf, placesOf } from './places.ts'
import { mended } from './refusal.ts'
import { ask, hit, isNothing, type Search, said, samplesOf, trial, type Way, waysOf } from './search.ts'
import { plain } from './vocabulary.ts'

/** What acts on the whole account: archiving and the suspension of ingestion. Each is left as it was. */
export async function searchAccount(search: Search): Promise<void> {
  await searchArchiving(search)
  await searchSuspension(search)
}

async function searchArchiving(search: Search): Promise<void> {
  const ways = waysOf(search, 'get-archiving').filter(({ method }) => method === 'GET')
  const places: string[] = []
  for (const way of ways) {
    const answer = await ask(search, way)
    // Where nothing is configured a 404 is right: it then differs from that of a path that there is not.
    if (isNothing(search, way.path, answer) || (answer.status !== 404 && !answer.ok)) continue
    if (answer.ok) return hit(search, 'get-archiving', way, answer, { sure: 'likely' })
    places.push(way.path)
  }
  if (places.length === 0)
    search.open.set('get-archiving', `none of ${ways.length} paths returned anything but what unknown paths return`)
  else if (!search.agreed.modify || !search.agreed.archiving)
    search.open.set('get-archiving', `GET ${places[0]} may be it; to see it at work, agree with consent.archiving`)
  else for (const path of places) if (await setUpArchiving(search, path)) return
}

/** Sets it up, changes it and removes it again; whether that was possible. */
async function setUpArchiving(search: Search, path: string): Promise<boolean> {
  const read: Way = { method: 'GET', path }
  const thing = await search.ledger.making('archiving', `${search.ledger.prefix}-archiving`, {})
  const first = await configured(search, 'create-archiving', [{ method: 'POST', path }], read)
  // Where nothing is made, the first change makes it.
  const changes = ['PUT', 'PATCH'].map((method) => ({ method, path }))
  const second = await configured(search, 'update-archiving', changes, read, first)
  if (!first && !second) {
    await search.ledger.notMade(thing)
    return false
  }
  await search.ledger.made(thing, String(leavesOf((second ?? first)?.sent)[0]?.value))
  const removal: Way = { method: 'DELETE', path }
  const removed = await ask(search, removal)
  const after = await ask(search, read)
  if (!removed.ok || after.ok) return true
  await search.ledger.removed(thing)
  hit(search, 'delete-archiving', removal, removed, { why: ', and it is gone' })
  return true
}

interface Configured {
  readonly template: Fields
  readonly sent: Fields
}

/** Sends samples, mended as refusals say, until a read shows what was sent. `before`: what was set up already. */
async function configured(
  search: Search,
  id: string,
  ways: readonly Way[],
  read: Way,
  before?: Configured,
): Promise<Configured | undefined> {
  for (const way of ways) {
    for (const sample of samplesOf(search, id)) {
      let template: Fields | undefined = before ? underNames(sample, before.template) : sample
      for (let attempt = 0; template !== undefined && attempt < 5; attempt += 1) {
        const sent: Fields = template
        const answer = await ask(search, way, sent)
        const now = answer.ok ? await ask(search, read) : undefined
        const told = leavesOf(sent).find(
          ({ value }) => typeof value === 'string' && placesOf(now?.json, value).length > 0,
        )
        if (now?.ok === true && told !== undefined) {
          hit(search, id, way, answer, { body: sent, sent, why: `, and ${said(read, now)} with it` })
          hit(search, 'get-archiving', read, now, { why: ' with what was set up' })
          return { template: sent, sent }
        }
        if (!answer.ok)
          search.open.set(id, `${said(way, answer)}; no sample body was accepted: ${answer.text.slice(0, 200)}`)
        if (answer.ok || answer.status >= 500 || answer.status === 404 || answer.status === 405) break
        template = mended(sent, answer.json ?? answer.text, 'archiving')
      }
    }
  }
  return undefined
}

/** The kind of archiving under the name that creation learnt. */
function underNames(sample: Fields, created: Fields): Fields {
  const name = Object.keys(created).find(
    (one) => sample[one] === undefined && /kind|type|provider|storage/.test(plain(one)),
  )
  const { integration, ...rest } = sample
  return name === undefined || integration === undefined
    ? { ...created, ...sample }
    : { ...created, [name]: integration, ...rest }
}

/** A leaf that says whether lines are taken in, and the value that it has while they are. */
function statusIn(json: unknown): { readonly pointer: string; readonly busy: boolean } | undefined {
  for (const { name, value, pointer } of leavesOf(json)) {
    if (typeof value !== 'boolean') continue
    if (/suspend|pause|stop|halt/.test(plain(name))) return { pointer, busy: false }
    if (/ingest|active|running|enabled|accept/.test(plain(name))) return { pointer, busy: true }
  }
  return undefined
}

async function searchSuspension(search: Search): Promise<void> {
  const ways = waysOf(search, 'get-ingestion-status')
  const status = await trial(search, 'get-ingestion-status', ways, ({ json }) => statusIn(json) !== undefined, {
    sure: 'likely',
  })
  if (!status) return void search.open.set('get-ingestion-status', 'no path returned a flag that tells it')
  if (!search.agreed.modify || !search.agreed.suspend)
    return void search.open.set('suspend-ingestion', 'to see it at work, agree with consent.suspend')
  const isSuspended = async (): Promise<boolean | undefined> => {
    const answer = await ask(search, status.way)
    const found = statusIn(answer.json)
    return answer.ok && found ? at(answer.json, found.pointer) !== found.busy : undefined
  }
  if ((await isSuspended()) !== false) return
  const thing = await search.ledger.making('suspension', 'suspension', {})
  const first = await trial(search, 'suspend-ingestion', waysOf(search, 'suspend-ingestion'), () => true, {
    sure: 'likely',
  })
  if (first) await confirm(search, first.way, first.answer, isSuspended)
  const suspended = await isSuspended()
  if (first && suspended === true && search.hits.has('confirm-suspension'))
    hit(search, 'get-ingestion-status', status.way, await ask(search, status.way), { why: ' while lines are refused' })
  const suspend = first?.way.path ?? ''
  const beside = [
    { method: 'POST', path: `${parentOf(suspend)}/resume` },
    { method: 'DELETE', path: suspend },
  ]
  const resumes = async (): Promise<boolean> => (await isSuspended()) === false
  const sure = suspended === true ? 'proven' : 'likely'
  const why = ', and lines are taken in again'
  await trial(search, 'resume-ingestion', waysOf(search, 'resume-ingestion', suspend === '' ? [] : beside), resumes, {
    sure,
    why,
  })
  if (await resumes()) await search.ledger.removed(thing)
}

/** The second call: with the token of the first one, at a path of its own or at the same one. */
async function confirm(
  search: Search,
  suspend: Way,
  first: Answer,
  isSuspended: () => Promise<boolean | undefined>,
): Promise<void> {
  const id = 'confirm-suspension'
  const token = leavesOf(first.json).find(({ value }) => typeof value === 'string' && value.length >= 8)
  const beside = ['POST', 'PUT'].map((method, index) => ({ method, path: `${suspend.path}${['/confirm', ''][index]}` }))
  const values = { token: token?.value ?? '' }
  const names = [...new Set(['token', token?.name ?? 'token', ...(token ? ['confirmation', 'confirm'] : [])])]
  const templates: (Fields | undefined)[] = token
    ? [...samplesOf(search, id), ...names.map((name) => ({ [name]: '{{token}}' }))]
    : [undefined]
  const sends = templates.map((one): readonly [Fields | undefined, unknown] => [one, one && fillTemplate(one, values)])
  const [known, ...others] = waysOf(search, id, beside)
  const ways = known ? [known, ...beside, ...others] : beside
  const suspends = async (): Promise<boolean> => (await isSuspended()) === true
  const why = ', and the status shows it'
  let done = await trial(search, id, ways, suspends, { sends, why })
  // Where both calls have one path, each that is not understood is a first one, with a token of its own.
  for (const name of done ? [] : names) {
    const again = token && at((await ask(search, suspend)).json, token.pointer)
    done ??= await trial(search, id, [suspend], suspends, {
      sends: [[{ [name]: '{{token}}' }, { [name]: again }]],
      why,
    })
  }
  if (!done) return void search.open.set(id, 'no second call suspended')
  const found = search.hits.get('suspend-ingestion')
  if (found)
    search.hits.set('suspend-ingestion', {
      ...found,
      sure: 'proven',
      ...(token ? { told: { token: token.pointer } } : {}),
    })
}
