import { at } from '../../../schemas/pointer.ts'
import { broken, held } from '../../core/judgement.ts'
import { shown } from '../../core/shown.ts'
import { type ExchangeView, jsonOf } from '../../core/view.ts'
import { claimOf, type GroupRule } from '../../known/groups.ts'

const BESIDE_THE_POINT = new Set([401, 403, 405, 408, 413, 415, 429])

/**
 * ERROR-BODY-CODE-UNIQUE: `code` is unique for the kind of error (section 'Error response'): two conditions of one
 * operation have two codes.
 */
export const codesRule: GroupRule = {
  name: 'two conditions have two codes',
  sees: ({ intent, specified }) =>
    intent?.kind === 'provoke' && (specified?.errors.some(({ condition }) => condition === intent.probe) ?? false),
  judge(view, before) {
    const code = codeIn(view)
    const others = before.filter(
      (one) =>
        one.specified === view.specified && one.intent?.probe !== view.intent?.probe && codeIn(one) !== undefined,
    )
    const [first] = others
    if (code === undefined || !first) return []
    const same = others.find((one) => codeIn(one) === code)
    const claim = claimOf('ERROR-BODY-CODE-UNIQUE', [same ?? first, view])
    if (!same) return [held(claim)]
    return [
      broken(claim, {
        pointer: '/code',
        message: `the conditions '${same.intent?.probe}' and '${view.intent?.probe}' have the same code`,
        expected: `another code than ${shown(code)}`,
        actual: shown(code),
      }),
    ]
  },
}

/** The code of a refusal that speaks of the condition. */
function codeIn({ conclusive, status, response }: ExchangeView): string | undefined {
  const refused = conclusive && status >= 400 && status < 500 && !BESIDE_THE_POINT.has(status)
  const code = refused ? at(jsonOf(response), '/code') : undefined
  return typeof code === 'string' ? code : undefined
}
