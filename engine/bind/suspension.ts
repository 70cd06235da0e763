import { at } from '../../schemas/pointer.ts'
import { fillTemplate } from '../../schemas/template.ts'
import type { Answer } from './client.ts'
import { type Fields, isTime, leavesOf, parentOf, statusIn } from './places.ts'
import { ask, hit, type Search, samplesOf, trial, type Way, waysOf } from './search.ts'

/** Suspends ingestion, and resumes it. */
export async function searchSuspension(search: Search): Promise<void> {
  const ways = waysOf(search, 'get-ingestion-status')
  const tells = ({ json }: Answer, { path }: Way): boolean => statusIn(json, path) !== undefined
  const status = await trial(search, 'get-ingestion-status', ways, tells, { sure: 'likely' })
  if (!status) return void search.open.set('get-ingestion-status', 'no path returned a flag that tells it')
  if (!search.agreed.modify || !search.agreed.suspend) return
  const isSuspended = async (): Promise<boolean | undefined> => {
    const answer = await ask(search, status.way)
    const { place, busy, pointer = '' } = statusIn(answer.json, status.way.path) ?? {}
    if (!answer.ok || place === undefined) return undefined
    return busy === undefined ? place === 'suspended' : at(answer.json, pointer) !== busy
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
  const more = { sure: suspended === true ? 'proven' : 'likely', why: ', and lines are taken in again' } as const
  await trial(search, 'resume-ingestion', waysOf(search, 'resume-ingestion', first ? beside : []), resumes, more)
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
  // A state, such as pending_confirmation, is a word.
  const token = leavesOf(first.json).find(
    ({ value }) => typeof value === 'string' && /^(?=\S*\d)\S{8,}$/.test(value) && !isTime(value),
  )
  const beside = ['POST', 'PUT'].map((method, index) => ({ method, path: `${suspend.path}${['/confirm', ''][index]}` }))
  const values = { token: token?.value ?? '' }
  const names = [...new Set(['token', token?.name ?? 'token', ...(token ? ['confirmation', 'confirm'] : [])])]
  // An empty body says that no token is needed; without one, that of the shipped binding would be sent.
  const templates: Fields[] = token
    ? [...samplesOf(search, id), ...names.map((name) => ({ [name]: '{{token}}' }))]
    : [{}]
  const sends = templates.map((one) => [one, fillTemplate(one, values)] as const)
  const [known, ...others] = waysOf(search, id, beside)
  const ways = known ? [known, ...beside, ...others] : beside
  const suspends = async (): Promise<boolean> => (await isSuspended()) === true
  const why = ', and the status shows it'
  let done = await trial(search, id, ways, suspends, { sends, why })
  // Where both calls have one path, each that is not understood is a first one, with a token of its own.
  for (const name of done ? [] : names) {
    const again = token && at((await ask(search, suspend)).json, token.pointer)
    done ??= await trial(search, id, [suspend], suspends, {
      sends: [token ? [{ [name]: '{{token}}' }, { [name]: again }] : [{}, {}]],
      why,
    })
  }
  if (!done) return void search.open.set(id, 'no second call suspended')
  const told = token && { token: token.pointer }
  hit(search, 'suspend-ingestion', suspend, first, { told, why: ', and a second call suspended' })
}
