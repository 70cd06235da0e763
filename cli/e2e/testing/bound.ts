import { expect } from 'vitest'
import { loadBinding } from '../../../engine/config/binding.ts'
import { type Binding, resolveBinding } from '../../../schemas/binding.ts'
import type { World } from '../../testing/world.ts'

/** Consent to all that bind can do. */
export const EVERYTHING = { modifyTarget: true, exclusions: true, suspend: true, archiving: true }
/** Places of a response that have to be right; others say little of whether an operation was understood. */
const PLACES = [
  'id',
  'record',
  'list',
  'generation',
  'signing_keys',
  'processing_status',
  'ingesting',
  'suspended',
  'events',
]

/** What `assay bind --json` prints, as far as it is looked at. */
export interface Told {
  readonly operations: readonly { readonly id: string; readonly found: boolean }[]
  readonly questions: readonly { readonly about: string; readonly unlocks: number }[]
  readonly probe?: { readonly left: readonly unknown[]; readonly made: number }
}

export function effective(name: string, folder: string): Binding {
  return resolveBinding(loadBinding(name, folder))
}

/** How many operations of a target were bound, and which of them otherwise than by hand. */
function compared(
  { operations }: Told,
  found: Binding,
  truth: Binding,
): { there: number; bound: number; wrong: string[] } {
  const isFound = new Set(operations.filter((one) => one.found).map(({ id }) => id))
  const there = [...truth.operations.values()].filter(({ path, offered }) => path !== '' && offered)
  const bound = there.filter(({ id }) => isFound.has(id))
  const wrong = bound.flatMap(({ id, method, path, answer }) => {
    const own = found.operations.get(id)
    const isPlace = own?.method === method && own.path === path
    const others = PLACES.filter((name) => answer[name] !== undefined && own?.answer[name] !== answer[name])
    return isPlace && others.length === 0 ? [] : [`${id}: ${own?.method} ${own?.path} ${others.join(' ')}`]
  })
  const strange = [...isFound].filter((id) => !there.some((one) => one.id === id))
  return { there: there.length, bound: bound.length, wrong: [...wrong, ...strange] }
}

/** Runs `assay bind` to a good end. */
export async function bound(world: World, ...args: string[]): Promise<Told> {
  const ended = await world.assay(['bind', ...args, '--out', 'bound.json', '--json'])
  expect({ code: ended.code, error: /error:.*/.exec(ended.stderr)?.[0] }).toEqual({ code: 0, error: undefined })
  return JSON.parse(ended.stdout) as Told
}

/** At least nine tenths of what is there is bound, and nothing of it otherwise than by hand. */
export function requireRight(world: World, told: Told, truth: Binding): void {
  const { there, bound: count, wrong } = compared(told, effective('./bound.json', world.folder), truth)
  expect(wrong).toEqual([])
  expect(count / there).toBeGreaterThanOrEqual(0.9)
}
