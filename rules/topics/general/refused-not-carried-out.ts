import { decide, held, type Judgement, unclear } from '../../core/judgement.ts'
import { idIn, isSurelyWhole, isThere, listIn } from '../../core/reads.ts'
import { about, type Rule } from '../../core/rule.ts'
import { shown } from '../../core/shown.ts'
import { inWords, oneOf } from '../../core/words.ts'
import { type Attempts, isOnlyListed, newIn } from '../../known/attempts.ts'
import { doubtOf } from '../../known/doubt.ts'
import type { Kind } from '../../known/kinds.ts'
import { followsRefusals, naming, type Refused } from '../../known/refusals.ts'

/**
 * What a refused request would have made is not in the list of its kind (sections 'Authentication' and 'Errors'). It is
 * known by its name, which no other request of the run gives.
 */
export function refusedIsNotMade(kind: Kind): Rule<Attempts> {
  return {
    name: `${oneOf(kind.type)} whose creation was refused is not listed`,
    operations: (binding) => kind.operations(binding, 'list'),
    judge(view, known, oracle) {
      const last = known.creations.at(-1)
      const list = last && view.accepted ? listIn(view) : undefined
      if (!list || !last || view.exchange._start < last.at) return []
      const label = oracle.binding.resources.get(kind.type)?.label ?? kind.label
      const names = new Set(list.map((element) => element[label]))
      const doubt = doubtOf(view, last.at, oracle)
      return known.creations.flatMap((one): Judgement[] => {
        const name = one.sent[label]
        const isListed = names.has(name)
        if (known.names.has(String(name)) || (!isListed && doubt !== undefined)) return []
        const claim = { ...about(view), operation: kind.create, ...naming(one), exchanges: [one.exchange, view.id] }
        const made = {
          message: `a request was refused (${one.why}) and carried out all the same: what it makes is listed`,
          expected: `no ${kind.type} ${shown(name)}`,
          actual: `${shown(name)} is in the list`,
        }
        return [decide(claim, isListed ? made : undefined, undefined)]
      })
    },
  }
}

/**
 * The same where nothing in a request has a name to be known by: what it would have made is what the list of its kind did
 * not hold before, and no accepted request has made. Cases look where nobody else makes such things, and before and after
 * each requirement that they try.
 */
export function refusedMakesNothingNew(kind: Kind): Rule<Attempts> {
  return {
    name: `${oneOf(kind.type)} whose creation was refused is not there`,
    operations: (binding) => kind.operations(binding, 'list'),
    judge(view, known, oracle) {
      const more = known.blind ? undefined : newIn(known, view, kind, oracle)
      const doubt = doubtOf(view, known.creations.at(-1)?.at ?? 0, oracle)
      if (!more || (more.length === 0 && doubt !== undefined)) return []
      // The newest refusal of each requirement.
      const refused = [...new Map(known.creations.map((one) => [one.requirement, one])).values()]
      return refused.map((one) => {
        const claim = { ...about(view), operation: kind.create, ...naming(one), exchanges: [one.exchange, view.id] }
        if (more.length === 0) return held(claim)
        if (refused.length > 1) return unclear(claim, 'not judged: any of several refused requests may have made it')
        const made = {
          message: `a request was refused (${one.why}), and ${oneOf(kind.type)} is listed that nothing else has made`,
          expected: `no other ${inWords(kind.type)} than before`,
          actual: `${more.length} more`,
        }
        return decide(claim, made, undefined)
      })
    },
  }
}

/**
 * What a refused request would have removed is still there (section 'Authentication'): read as before or, where one thing
 * cannot be read by itself, listed. Judged of what was shown before.
 */
export function refusedIsNotRemoved(kind: Kind): Rule<Attempts> {
  const gone = (one: Refused, was: string, actual: string) => ({
    message: `a request was refused (${one.why}), and what it removes is gone all the same`,
    expected: `the ${inWords(kind.type)}, ${was} as before`,
    actual,
  })
  return {
    name: `${oneOf(kind.type)} whose removal was refused is there`,
    operations: (binding) => kind.operations(binding, 'read', 'list'),
    judge(view, known, oracle) {
      if (known.removals.size === 0) return []
      const { key = 'id', read } = oracle.binding.resources.get(kind.type) ?? {}
      const judgements: Judgement[] = []
      const judge = (id: string, way: 'read' | 'list', there: boolean): void => {
        const refused = known.removals.get(id) ?? []
        const { [way]: before } = known.shown.get(id) ?? {}
        const last = refused.at(-1)
        if (!last || before === undefined || view.exchange._start < last.at) return
        const doubt = doubtOf(view, last.at, oracle)
        if (there && doubt !== undefined) return
        for (const one of refused) {
          const exchanges = [before, one.exchange, view.id]
          const claim = { ...about(view), operation: kind.remove, ...naming(one), exchanges }
          const fault =
            way === 'read' ? gone(one, 'read', `status ${view.status}`) : gone(one, 'listed', 'it is not listed')
          judgements.push(decide(claim, there ? undefined : fault, doubt))
        }
      }
      if (view.operation?.id === read) {
        const id = idIn(view, oracle.binding, kind.type) ?? ''
        const there = isThere(view, id, key)
        if (there !== undefined) judge(id, 'read', there)
      } else if (isOnlyListed(kind, oracle) && followsRefusals(view)) {
        const list = view.accepted ? listIn(view) : undefined
        if (!list || !isSurelyWhole(view, list)) return []
        const ids = new Set(list.map((element) => String(element[key])))
        for (const id of known.removals.keys()) judge(id, 'list', ids.has(id))
      }
      return judgements
    },
  }
}
