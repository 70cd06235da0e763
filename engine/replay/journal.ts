import { openJournal } from '../../fixtures/journal.ts'
import { idsByName } from '../../fixtures/replay/named/listed.ts'
import { parsed, pointerOf, scalar } from '../../fixtures/replay/named/meaning.ts'
import type { Step } from '../../fixtures/replay/schedule.ts'
import type { Binding, TargetOperation } from '../../schemas/binding.ts'
import { createMatcher } from '../../schemas/matcher.ts'
import { percentDecoded } from '../../schemas/percent.ts'
import { at } from '../../schemas/pointer.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import type { JournalLine } from '../../schemas/types/journal.ts'

/** Keeps account of what a replay makes on its target, so that `assay cleanup` can remove it. */
export interface ReplayJournal {
  /** Resolves when the line is on disk; undefined where the request makes nothing. */
  making(step: Step, request: { readonly path: string; readonly body: string | undefined }): Promise<void> | undefined
  /** What came of it; also of removals. `exchange`: secrets may still be in it, only ids are written. */
  answered(step: Step, exchange: Exchange): void
  /** It was not sent after all, and so has made nothing. */
  notSent(step: Step): void
  close(): Promise<void>
}

interface Entry {
  readonly key: string
  /** the thing that it goes with; undefined: it has to be removed by itself */
  readonly parent: string | undefined
  readonly type: string
  readonly label: string
}

/** Suspending is nothing that is made, but has to be taken back all the same. */
const SUSPENDS = 'confirm-suspension'
const SUSPENSION = 'suspension'

/** `path`: of a journal whose header is written already. */
export async function openReplayJournal(path: string, binding: Binding): Promise<ReplayJournal> {
  const journal = await openJournal(path)
  const match = createMatcher([...binding.operations.values()].filter((operation) => operation.path !== ''))
  const makers = new Map<string, string>([[SUSPENDS, SUSPENSION]])
  const removers = new Map<string, string>()
  const lists = new Map<string, string>()
  for (const [type, { create, list, delete: remove }] of binding.resources) {
    if (create !== undefined) makers.set(create, type)
    if (remove !== undefined) removers.set(remove, type)
    if (list !== undefined) lists.set(list, type)
  }
  /** number of a step -> what it is about to make */
  const under = new Map<number, Entry>()
  /** type and id -> what was made */
  const made = new Map<string, Entry>()
  /** type and id -> types and ids of what goes with it */
  const within = new Map<string, Set<string>>()
  /** made, but nobody knows under which id */
  const nameless = new Map<string, Entry>()
  const writing = new Set<Promise<void>>()
  const write = (line: JournalLine): Promise<void> => {
    const done: Promise<void> = journal.write(line).finally(() => writing.delete(done))
    writing.add(done)
    return done
  }

  function known(entry: Entry, id: string): void {
    const name = `${entry.type} ${id}`
    made.set(name, entry)
    if (entry.parent !== undefined) within.set(entry.parent, (within.get(entry.parent) ?? new Set()).add(name))
    void write({ type: 'made', entry: entry.key, id })
  }

  function removed(name: string): void {
    const entry = made.get(name)
    if (entry === undefined) return
    made.delete(name)
    if (entry.parent !== undefined) within.get(entry.parent)?.delete(name)
    void write({ type: 'removed', entry: entry.key })
    for (const child of within.get(name) ?? []) removed(child)
    within.delete(name)
  }

  /** A list tells the ids of what was made under a name, unless more has that name than was made: then nobody knows which. */
  function findNames(type: string, exchange: Exchange, operation: TargetOperation): void {
    const resource = binding.resources.get(type)
    if (resource?.label === undefined || ![...nameless.values()].some((entry) => entry.type === type)) return
    for (const [label, listed] of idsByName(exchange, operation, resource)) {
      const found = listed.filter((id) => !made.has(`${type} ${id}`))
      const entries = [...nameless.values()].filter((one) => one.type === type && one.label === label)
      if (found.length > entries.length) continue
      for (const [index, id] of found.entries()) {
        const entry = entries[index] as Entry
        nameless.delete(entry.key)
        known(entry, id)
      }
    }
  }

  return {
    making(step, { path: sent, body }) {
      const type = makers.get(step.touches.operation?.id ?? '')
      if (type === undefined) return undefined
      const named = binding.resources.get(type)?.label
      const label = (named === undefined ? undefined : scalar(at(parsed(body), pointerOf(named)))) ?? ''
      const params = {
        ...idsIn(parsed(body)),
        ...match(step.exchange.request.method, sent.split('?')[0] ?? '')?.params,
      }
      const parent = binding.resources.get(type)?.with
      const parentId = params[binding.resources.get(parent ?? '')?.id ?? '']
      const entry: Entry = {
        key: `replay#${step.number}`,
        type,
        label,
        parent: parentId === undefined ? undefined : `${parent} ${parentId}`,
      }
      under.set(step.number, entry)
      return write({ type: 'making', entry: entry.key, resource: type, label, params: { ...params }, case: 'replay' })
    },
    answered(step, exchange) {
      const { operation } = step.touches
      if (!operation) return
      const entry = under.get(step.number)
      const { status } = exchange.response
      const accepted = exchange._outcome === 'complete' && status >= 200 && status < 300
      if (entry !== undefined) {
        under.delete(step.number)
        const refused = exchange._outcome === 'complete' && status >= 400 && status < 500
        if (refused) void write({ type: 'not-made', entry: entry.key })
        if (!accepted) return
        const id =
          entry.type === SUSPENSION ? SUSPENSION : entry.type === 'member' ? entry.label : idIn(exchange, operation)
        if (id === undefined) nameless.set(entry.key, entry)
        else known(entry, id)
        return
      }
      if (!accepted) return
      const listed = lists.get(operation.id)
      if (listed !== undefined) findNames(listed, exchange, operation)
      const type = removers.get(operation.id)
      if (type === undefined) return
      if (type === SUSPENSION || !operation.path.includes('{')) {
        for (const name of [...made.keys()].filter((one) => one.startsWith(`${type} `))) removed(name)
      } else {
        for (const segment of new URL(exchange.request.url).pathname.split('/'))
          removed(`${type} ${percentDecoded(segment)}`)
      }
    },
    notSent(step) {
      const entry = under.get(step.number)
      under.delete(step.number)
      if (entry !== undefined) void write({ type: 'not-made', entry: entry.key })
    },
    async close() {
      await Promise.all(writing)
      await journal.close()
    },
  }
}

/** Ids of parents that stand in a body. */
function idsIn(body: unknown): Record<string, string> {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return {}
  return Object.fromEntries(
    Object.entries(body).filter(
      (entry): entry is [string, string] => entry[0].endsWith('_id') && typeof entry[1] === 'string',
    ),
  )
}

function idIn(exchange: Exchange, operation: TargetOperation): string | undefined {
  const pointer = operation.answer.id
  return pointer === undefined ? undefined : scalar(at(parsed(exchange.response.content.text), pointer))
}
