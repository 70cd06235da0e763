import { type BindingFile, shippedBinding } from '../../../schemas/binding.ts'
import { service } from '../../../schemas/service.ts'
import { mapAnswer } from '../../core/overlay.ts'
import type { Env } from '../../core/route.ts'
import { type Changes, type Fault, fault } from '../core/fault.ts'
import type { Coded } from '../core/rows.ts'

/** Is right for so many requests, and then breaks down for good. */
function breaksDown(most: number): Changes {
  const counts = new WeakMap<Env, number>()
  return {
    reply(reply, _request, env) {
      const count = 1 + (counts.get(env) ?? 0)
      counts.set(env, count)
      return count > most ? { status: 500, json: { error: 'no more', code: 'Internal', status: 'error' } } : reply
    },
  }
}

/** Answers are in another coding than UTF-8. `of`: of one operation alone; `charset`: they declare it. */
function coded(
  coding: BufferEncoding,
  { of, charset }: { readonly of?: string; readonly charset?: string } = {},
): Changes {
  const delivery = { coding, ...(charset === undefined ? {} : { charset }) }
  return {
    reply: (reply, _request, _env, operation) =>
      of === undefined || of === operation
        ? mapAnswer(reply, (answer) => ({ ...answer, delivery: { ...answer.delivery, ...delivery } }))
        : reply,
  }
}

/** Operations whose paths a binding gives stand elsewhere than under their version, and the binding says so. */
function moved(version: string): Pick<Fault, 'changes' | 'binding'> {
  const { operations = {} } = shippedBinding('default')
  const there = service().operations.flatMap(({ id, gap }) => {
    const path = operations[id]?.path
    return gap !== undefined && path?.startsWith(version)
      ? [[id, path.replace(version, '/api/settings/')] as const]
      : []
  })
  return {
    changes: { routes: Object.fromEntries(there.map(([id, path]) => [id, (route) => ({ ...route, path })])) },
    binding: (): BindingFile => ({
      formatVersion: 1,
      name: `moved-${version.slice(1, -1)}`,
      operations: Object.fromEntries(there.map(([id, path]) => [id, { ...operations[id], path }])),
    }),
  }
}

/** Faults of the service as a whole: where its operations are, and how long it lasts. */
export const wholeFaults: Coded = {
  'breaks-down': breaksDown(100),
  'answers-in-latin-1': coded('latin1'),
  'answers-in-utf-16': coded('utf16le'),
  'answers-in-declared-utf-16': coded('utf16le', { charset: 'utf-16le' }),
  'export-v1-in-latin-1': coded('latin1', { of: 'export-v1' }),
}

export const movedFaults: readonly Fault[] = (['v1', 'v3'] as const).map((family) => {
  const id = `VERSION-${family.toUpperCase()}-PATHS`
  return { ...fault(`${family}-elsewhere`, id, `${family} operations stand elsewhere`, {}), ...moved(`/${family}/`) }
})
