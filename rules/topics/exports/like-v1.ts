import { probes } from '../../../schemas/intents.ts'
import { broken, held, unclear } from '../../core/judgement.ts'
import type { ExchangeView } from '../../core/view.ts'
import { claimOf, type GroupRule, ownLinesIn } from '../../known/groups.ts'
import { tokenIn } from '../ingestion/comes-out.ts'

const ORDER = 'export-v1,export-v2,export-v1'

/**
 * EXPORT-V2-LIKE-V1: a small export v2 behaves like one of v1 (section 'Export v2'): it holds the same lines. The exports
 * of a group are v1, v2, v1. Where the two of v1 differ, nothing is said.
 */
export const likeV1Rule: GroupRule = {
  name: 'small export v2 holds the lines of v1',
  sees: ({ intent, operation }) => intent?.probe === probes.likeV1 && /^export-v[12]$/.test(operation?.id ?? ''),
  judge(view, before) {
    const three = [...before.slice(-2), view]
    const [first, other, last] = three.map(linesIn)
    if (!first || !other || !last || three.map(({ operation }) => operation?.id).join() !== ORDER) return []
    const claim = claimOf('EXPORT-V2-LIKE-V1', three, { operation: 'export-v2' })
    if (first.size === 0) return [unclear(claim, 'not judged: the export v1 holds no lines of the run')]
    if (!same(first, last)) return [unclear(claim, 'not judged: the two exports v1 differ')]
    if (same(first, other)) return [held(claim)]
    return [
      broken(claim, {
        message: 'a small export v2 does not hold the lines that an export v1 of the same holds',
        expected: `${first.size} lines, as in export v1 before and after it`,
        actual: `${[...first].filter((line) => other.has(line)).length} of them, in ${other.size} lines`,
      }),
    ]
  },
}

/** The run's own lines in a whole answer; undefined: not all of them are there, or nobody knows. */
function linesIn(view: ExchangeView): ReadonlySet<string> | undefined {
  const whole = view.operation?.id === 'export-v1' || tokenIn(view) === null
  const lines = whole ? ownLinesIn(view) : undefined
  return lines && new Set(lines.map(({ id, hash }) => `${id} ${hash}`))
}

function same(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((line) => other.has(line))
}
