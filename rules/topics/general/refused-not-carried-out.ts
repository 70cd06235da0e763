import { broken, decide, held, type Judgement, unclear } from '../../core/judgement.ts'
import { about, type Rule } from '../../core/rule.ts'
import { shown } from '../../core/shown.ts'
import { inWords, oneOf } from '../../core/words.ts'
import { doubtOf } from '../../known/doubt.ts'
import { looksAfterRemovals, newIn } from '../../known/existence.ts'
import type { Kind } from '../../known/kinds.ts'
import { naming } from '../../known/refusals.ts'
import { lookAt, type Things, toldOf } from '../../known/things.ts'

/**
 * What a refused request would have made is not in the list of its kind (sections 'Authentication' and 'Errors'). It is
 * known by its name, which no other request of the run gives.
 */
export function refusedIsNotMade(kind: Kind): Rule<Things> {
  return {
    name: `${oneOf(kind.type)} whose creation was refused is not listed`,
    operations: (binding) => kind.operations(binding, 'list'),
    judge(view, known, oracle) {
      const last = known.creations.at(-1)
      const look = last && lookAt(known, view, kind, oracle)
      const { label } = oracle.binding.resources.get(kind.type) ?? {}
      if (!look || label === undefined || view.exchange._start < last.at) return []
      const names = new Set(look.list.map((element) => element[label]))
      const doubt = doubtOf(view, last.at, oracle)
      return known.creations.flatMap((one): Judgement[] => {
        const name = one.sent[label]
        const isListed = names.has(name)
        if (known.names.has(String(name)) || (!isListed && doubt !== undefined)) return []
        const claim = { ...about(view), operation: kind.create, ...naming(one), exchanges: [one.exchange, view.id] }
        const message = `a request was refused (${one.why}) and carried out all the same: what it makes is listed`
        const expected = `no ${kind.type} ${shown(name)}`
        return [isListed ? broken(claim, { message, expected, actual: `${shown(name)} is in the list` }) : held(claim)]
      })
    },
  }
}

/**
 * The same where nothing in a request has a name to be known by: what it would have made is what the list of its kind did
 * not hold before, and no accepted request has made. Cases look where nobody else makes such things, and before and after
 * each requirement that they try.
 */
export function refusedMakesNothingNew(kind: Kind): Rule<Things> {
  return {
    name: `${oneOf(kind.type)} whose creation was refused is not there`,
    operations: (binding) => kind.operations(binding, 'list'),
    judge(view, known, oracle) {
      const last = known.creations.at(-1)
      const look = last && lookAt(known, view, kind, oracle)
      const more = look && newIn(known, look, view)
      if (!more || (more.length === 0 && doubtOf(view, last.at, oracle) !== undefined)) return []
      // The newest refusal of each requirement.
      const refused = [...new Map(known.creations.map((one) => [one.requirement, one])).values()]
      return refused.map((one) => {
        const claim = { ...about(view), operation: kind.create, ...naming(one), exchanges: [one.exchange, view.id] }
        if (more.length === 0) return held(claim)
        if (refused.length > 1) return unclear(claim, 'not judged: any of several refused requests may have made it')
        const message = `a request was refused (${one.why}), and ${oneOf(kind.type)} is listed that nothing else has made`
        const expected = `no other ${inWords(kind.type)} than before`
        return broken(claim, { message, expected, actual: `${more.length} more` })
      })
    },
  }
}

/**
 * What a refused request would have removed is still there (section 'Authentication'): read as before or, where one thing
 * cannot be read by itself, listed. Judged of what was shown before.
 */
export function refusedIsNotRemoved(kind: Kind): Rule<Things> {
  return {
    name: `${oneOf(kind.type)} whose removal was refused is there`,
    operations: (binding) => kind.operations(binding, 'read', 'list'),
    judge(view, known, oracle) {
      const look = known.removals.size > 0 ? lookAt(known, view, kind, oracle) : undefined
      if (!look || !looksAfterRemovals(look, view, kind, oracle)) return []
      const isRead = look.way === 'read'
      return toldOf(known.removals, look, view, look.surely).flatMap(({ id, fact, there }): Judgement[] => {
        const { read, list } = known.shown.get(id) ?? {}
        const before = isRead ? read : list?.exchange
        const doubt = doubtOf(view, fact.at, oracle)
        if (before === undefined || (there && doubt !== undefined)) return []
        return fact.by.map((one) => {
          const exchanges = [before, one.exchange, view.id]
          const claim = { ...about(view), operation: kind.remove, ...naming(one), exchanges }
          const gone = {
            message: `a request was refused (${one.why}), and what it removes is gone all the same`,
            expected: `the ${inWords(kind.type)}, ${isRead ? 'read' : 'listed'} as before`,
            actual: isRead ? `status ${view.status}` : 'it is not listed',
          }
          return decide(claim, there ? undefined : gone, doubt)
        })
      })
    },
  }
}
