import { broken, decide, type Fault, held, type Judgement, observed, unclear } from '../../core/judgement.ts'
import { about, type Rule } from '../../core/rule.ts'
import { inWords, oneOf } from '../../core/words.ts'
import { doubtOf } from '../../known/doubt.ts'
import type { Kind } from '../../known/kinds.ts'
import { contradicts, type Existence, lookAt, otherThan, type Way } from '../../known/things.ts'

interface Requirements {
  /** what was made can be found */
  readonly made?: string | undefined
  /** what is listed can be read by itself */
  readonly got?: string | undefined
  /** what can be read by itself is listed */
  readonly listed?: string | undefined
}

const UNTRIED = 'not judged: no read has shown yet what it asked for, so that the path of reads may be another one'

/**
 * What was made exists: it can be read by itself, and is listed (section 'What the service does', the category table).
 * Found by one way and not by the other is held against the other; found by neither, against the creation. A read that
 * finds nothing counts only where reads have found something before, since only the binding knows their path.
 */
export function foundWhenMade(kind: Kind, { made, got, listed }: Requirements): Rule<Existence> {
  const requirements = { made, read: got, list: listed }
  return {
    name: `${oneOf(kind.type)} that was made is found`,
    operations: (binding) => kind.operations(binding, 'read', 'list'),
    judge(view, known, oracle) {
      const look = lookAt(known, view, kind, oracle)
      if (!look || look.made.length === 0) return []
      const { way, length } = look
      const other = otherThan(way)
      const resource = oracle.binding.resources.get(kind.type)
      const operations = { made: kind.create, read: resource?.read ?? '', list: resource?.list ?? '' }
      const judgements: Judgement[] = []
      for (const one of look.made) {
        const { exchange, shown, missed, at } = one.made
        /** `judge`: broken, where it is left out */
        const say = (what: Way | 'made', between: string | undefined, judge = brokenBy(what, kind)): boolean => {
          const requirement = requirements[what]
          if (requirement === undefined) return false
          const exchanges = [exchange, ...(between === undefined ? [] : [between]), view.id]
          judgements.push(judge({ ...about(view), operation: operations[what], requirement, exchanges }))
          return true
        }
        if (one.found === undefined) continue
        const isContradiction = contradicts(known, one, way, kind, oracle)
        const doubt = doubtOf(view, at, oracle)
        if (one.found) {
          say('made', undefined, held)
          say(way, undefined, held)
          if (isContradiction) say(other, missed[other])
        } else if (doubt !== undefined) {
          if (!say(way, undefined, (claim) => unclear(claim, doubt)))
            say('made', undefined, (claim) => unclear(claim, doubt))
        } else if (shown[other] === undefined) {
          if (isContradiction) say('made', missed[other])
        } else if (isContradiction) say(way, shown[other])
        else say(way, undefined, (claim) => unclear(claim, UNTRIED))
      }
      const leftOut = look.made.find((one) => one.leftOut)
      if (leftOut) {
        const claim = { ...about(view), requirement: 'GAP-LIST-PAGES', exchanges: [leftOut.made.exchange, view.id] }
        const what = `${view.operation?.id}: a list of ${length} does not show everything that was made`
        judgements.push(observed(claim, what))
      }
      return judgements
    },
  }
}

function brokenBy(what: Way | 'made', { type }: Kind): typeof held {
  const fault = FAULTS[what](inWords(type), oneOf(type))
  return (claim) => broken(claim, fault)
}

const FAULTS: Readonly<Record<Way | 'made', (type: string, one: string) => Fault>> = {
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

/**
 * What was made is in the list that says to hold all of them, by its name. Judged once, by the first list that tells; a read by
 * itself is not asked for.
 */
export function listedWhenMade(kind: Kind, requirement: string, operation: string): Rule<Existence> {
  return {
    name: `${oneOf(kind.type)} that was made is listed`,
    operations: (binding) => kind.operations(binding, 'list'),
    judge(view, known, oracle) {
      const look = lookAt(known, view, kind, oracle)
      if (!look) return []
      const label = oracle.binding.resources.get(kind.type)?.label ?? kind.label
      const judgements: Judgement[] = []
      for (const { made, named } of look.made) {
        if (made.name === undefined || made.named || (!named && !look.whole)) continue
        const claim = { ...about(view), operation, requirement, exchanges: [made.exchange, view.id] }
        const missing = {
          message: `${oneOf(kind.type)} that was made is not in the list`,
          expected: `one whose ${label} is ${JSON.stringify(made.name)}`,
          actual: `${look.length} others`,
        }
        judgements.push(decide(claim, named ? undefined : missing, doubtOf(view, made.at, oracle)))
      }
      return judgements
    },
  }
}
