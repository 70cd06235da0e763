import { at } from '../../../schemas/pointer.ts'
import { broken, held, type Judgement } from '../../core/judgement.ts'
import { about, type Rule } from '../../core/rule.ts'
import { shown } from '../../core/words.ts'
import type { Kind } from '../../known/kinds.ts'
import { lookAt, type Made, sightingsOf, type Things } from '../../known/things.ts'

const HOUR_MS = 3_600_000
/** Milliseconds that a time may be off, its zone included. */
const OFF_MS = 36 * HOUR_MS
/** The same of a target that does not tell what its clock shows. Another unit is off by far more. */
const FAR_OFF_MS = 400 * 24 * HOUR_MS
/** What a moment may be rounded to, in milliseconds. */
const ROUNDED_MS = 1_000

/**
 * KEY-CREATED-MILLISECONDS: `created` of a key is when it was made, in milliseconds (section 'Key resource'): near the time
 * of the request that made it, and the same in each list. Only keys whose creation was seen are judged, by their ids.
 */
export function keyCreatedWhenMade(kind: Kind): Rule<Things> {
  return {
    name: 'created of a key is the time when it was made',
    operations: (binding) => kind.operations(binding, 'list'),
    judge(view, known, oracle) {
      const look = lookAt(known, view, kind, oracle)
      return sightingsOf(known, view, kind, oracle).flatMap(({ made, id = '' }): Judgement[] => {
        const created = at(look?.shows.get(id), '/created')
        // What is no whole number breaks the rule of its type, and that alone.
        if (typeof created !== 'number' || !Number.isInteger(created)) return []
        const claim = {
          ...about(view),
          requirement: 'KEY-CREATED-MILLISECONDS',
          pointer: '*/created',
          exchanges: [made.exchange, view.id],
          others: false,
        }
        if (!isNear(created, made)) {
          return [
            broken(claim, {
              message: 'created of a key is not the time of its creation in milliseconds',
              expected: `about ${Math.round(made.start)}, when it was made`,
              actual: shown(created),
            }),
          ]
        }
        const { created: before } = made
        if (typeof before !== 'number' || Math.abs(created - before) <= roundingOf(created, before))
          return [held(claim)]
        return [
          broken(claim, {
            message: 'two lists tell different times of the creation of one key',
            expected: `${before}, as before`,
            actual: shown(created),
          }),
        ]
      })
    },
  }
}

function isNear(created: number, { start, at: end, date }: Made): boolean {
  const off = Number.isNaN(date) ? FAR_OFF_MS : OFF_MS
  return (created >= start - off && created <= end + off) || Math.abs(created - date) <= off
}

/** Milliseconds that two tellings of one moment may be apart: one of them may be rounded. */
function roundingOf(one: number, other: number): number {
  return one % ROUNDED_MS === 0 || other % ROUNDED_MS === 0 ? ROUNDED_MS : 0
}
