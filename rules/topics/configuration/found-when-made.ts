import { type Operation, specifiedOperations } from '../../../schemas/operations.ts'
import { operationsOn } from '../../../schemas/service.ts'
import {
  broken,
  type Claim,
  decide,
  doubted,
  type Fault,
  held,
  type Judgement,
  observed,
} from '../../core/judgement.ts'
import { about, claimOf, type Rule } from '../../core/rule.ts'
import { inWords, oneOf } from '../../core/words.ts'
import { doubtOf } from '../../known/doubt.ts'
import { NOT_FOUND } from '../../known/existence.ts'
import type { Kind } from '../../known/kinds.ts'
import { contradicts, looking, otherThan, sightingsOf, type Things, toldOf, type Way } from '../../known/things.ts'
import { isInactive } from '../general/works.ts'

type About = Way | 'made'

const UNTRIED = 'not judged: no read has succeeded yet, so its path may be wrong'

/**
 * What was made exists: it can be read by itself, and is listed (section 'What the service does', the category table).
 * A thing found by one way and not by the other breaks the other way; found by neither, it breaks the creation. A read
 * that finds nothing counts only where reads have found something before, since only the binding knows their path.
 */
export function foundWhenMade(kind: Kind, requirements: Readonly<Record<About, string | undefined>>): Rule<Things> {
  return looking(kind, ({ way, list }, view, known, oracle) => {
    const sightings = sightingsOf(known, view, kind, oracle)
    const operations = { made: kind.create, read: '', list: '', ...oracle.binding.resources.get(kind.type) }
    const other = otherThan(way)
    const judgements: Judgement[] = []
    for (const one of sightings) {
      const { exchange, shown, missed, at } = one.made
      /** `judge`: broken, where it is left out */
      const say = (what: About, between: string | undefined, judge = brokenBy(what, kind)): boolean => {
        const requirement = requirements[what]
        if (requirement === undefined) return false
        const exchanges = [exchange, ...(between === undefined ? [] : [between]), view.id]
        judgements.push(judge({ ...about(view), operation: operations[what], requirement, exchanges }))
        return true
      }
      if (one.found === undefined) continue
      const isWrong = contradicts(known, one, way, kind, oracle)
      const doubt = one.found ? undefined : doubtOf(view, at, oracle)
      if (one.found) {
        say('made', undefined, held)
        say(way, undefined, held)
        if (isWrong) say(other, missed[other])
      } else if (doubt !== undefined) {
        const doubtedBy = (what: About) => (claim: Claim) => doubted(brokenBy(what, kind)(claim), doubt)
        if (!say(way, undefined, doubtedBy(way))) say('made', undefined, doubtedBy('made'))
      } else if (shown[other] === undefined) {
        if (isWrong) say('made', missed[other])
      } else
        say(
          way,
          isWrong ? shown[other] : undefined,
          isWrong ? undefined : (claim) => doubted(brokenBy(way, kind)(claim), UNTRIED),
        )
    }
    const leftOut = sightings.find((one) => one.leftOut)
    if (!leftOut) return judgements
    const claim = claimOf('GAP-LIST-PAGES', [view], { exchanges: [leftOut.made.exchange, view.id] })
    const what = `${view.operation?.id}: a list of ${list.length} does not show everything that was made`
    return [...judgements, observed(claim, what)]
  })
}

function brokenBy(what: About, { type }: Kind): typeof held {
  return (claim) => broken(claim, FAULTS[what](inWords(type), oneOf(type)))
}

const FAULTS: Readonly<Record<About, (type: string, one: string) => Fault>> = {
  made: (type, one) => ({
    message: `${one} whose creation was answered with success is not there`,
    expected: `the new ${type} can be found`,
    actual: 'it is not found',
  }),
  read: (type, one) => ({
    message: `${one} that is listed is not found when it is asked for`,
    expected: `the ${type}`,
    actual: 'it is not found',
  }),
  list: (type, one) => ({
    message: `${one} that can be read is not in the list`,
    expected: `the ${type} among the others`,
    actual: 'it is not listed',
  }),
}

/** A new thing is in the list that is said to hold all of them, by its name. Judged by the first list that tells. */
export function listedWhenMade(kind: Kind, requirement: string, verb: 'create' | 'list'): Rule<Things> {
  const [operation = ''] = operationsOn(kind.type, verb)
  return looking(kind, ({ surely, list }, view, known, oracle) =>
    sightingsOf(known, view, kind, oracle).flatMap(({ made, named }) => {
      if (made.name === undefined || made.named || (!named && !surely)) return []
      const { label } = oracle.binding.resources.get(kind.type) ?? {}
      const claim = claimOf(requirement, [view], { operation, exchanges: [made.exchange, view.id] })
      const missing = {
        message: `${oneOf(kind.type)} that was made is not in the list`,
        expected: `one whose ${label} is ${JSON.stringify(made.name)}`,
        actual: `${list.length} others`,
      }
      return [decide(claim, named ? undefined : missing, doubtOf(view, made.at, oracle))]
    }),
  )
}

/** Operations that remove a thing and have a code for one that does not exist. */
const removals: readonly Operation[] = specifiedOperations().filter(
  ({ deletes, errors }) => deletes !== undefined && errors.some(({ code }) => code === NOT_FOUND),
)

/**
 * A thing that a list shows before and after exists. A removal that does not find it contradicts the list (section
 * 'Errors', 'e-mail is not an active member', 'screen does not exist').
 */
export function listedIsFound(kind: Kind): readonly Rule<Things>[] {
  return removals.flatMap(({ id: operation, deletes, response: { statusRequirement, status } }) => {
    if (deletes !== kind.type) return []
    const rule = looking(kind, (look, view, known) =>
      look.way === 'read'
        ? []
        : toldOf(known.notFound, look, view).flatMap(({ id, fact: missed, there }): Judgement[] => {
            const element = look.shows.get(id)
            if (!there || (kind.type === 'member' && isInactive(element))) return []
            const exchanges = [known.shown.get(id)?.list?.exchange ?? '', view.id, missed.exchange]
            const edge = 'listed, and not found'
            const message = `a ${kind.type} that is listed before and after is not found when it is to be removed`
            const expected = status === 'success' ? 'success' : `status ${status}`
            const actual = `status ${missed.status} with the code ${NOT_FOUND}`
            return [
              broken(claimOf(statusRequirement, [view], { operation, edge, exchanges }), { message, expected, actual }),
            ]
          }),
    )
    return [rule]
  })
}

/**
 * PRESET-CREATE-MAKES: one creation of a preset alert makes one (section 'Endpoints'). A name that only one request of
 * the run gave is not listed twice.
 */
export function madeOnce(kind: Kind): Rule<Things> {
  return looking(kind, ({ list }, view, { names }, oracle) => {
    if (!view.intent || names.size === 0) return []
    const { key = 'id', label = '' } = oracle.binding.resources.get(kind.type) ?? {}
    const ids = new Map<string, Set<string>>()
    for (const { [label]: name, [key]: id } of list) {
      if (typeof name !== 'string' || (typeof id !== 'string' && typeof id !== 'number')) continue
      ids.set(name, (ids.get(name) ?? new Set()).add(String(id)))
    }
    return [...ids].flatMap(([name, { size }]): Judgement[] => {
      const made = names.get(name)
      if (!made || view.exchange._start < made.at) return []
      const exchanges = [made.exchange, view.id]
      const claim = claimOf('PRESET-CREATE-MAKES', [view], { operation: kind.create, exchanges })
      const several = {
        message: 'one creation has made several preset alerts',
        expected: `one whose ${label} is ${JSON.stringify(name)}`,
        actual: `${size} with ids of their own`,
      }
      return [decide(claim, size === 1 ? undefined : several)]
    })
  })
}
