import type { Exchange, Intent } from '../../../schemas/types/exchange.ts'
import { jsonl, type OneLine, one, page, two } from '../../_testing/lines.ts'
import { eachSays } from '../../_testing/says.ts'

const intent: Intent = { kind: 'read', probe: 'like-v1', group: 'g', final: true }
const v1 = (lines: readonly OneLine[], status = 200): Exchange => jsonl(lines, '', { intent, status })
const v2 = (lines: readonly OneLine[], token: string | null = null, status = 200): Exchange =>
  page(lines, token, '', { intent, status })

eachSays({ told: 'EXPORT-V2-LIKE-V1', title: 'a small export v2 that %s' }, [
  ['holds the same lines', [v1([one, two]), v2([two, one]), v1([one, two])], 'held'],
  ['leaves one out', [v1([one, two]), v2([one]), v1([one, two])], 'broken'],
  ['holds one more', [v1([one]), v2([one, two]), v1([one])], 'broken'],
  ['holds another text', [v1([one]), v2([{ ...one, text: 'other' }]), v1([one])], 'broken'],
  ['is asked for while lines come in', [v1([one]), v2([one, two]), v1([one, two])], 'inconclusive'],
  ['holds nothing, as the other does', [v1([]), v2([]), v1([])], 'inconclusive'],
  ['goes on with a further page', [v1([one, two]), v2([one], 'next'), v1([one, two])], ''],
  ['is put off once', [v1([one, two]), v2([], null, 429), v2([two, one]), v1([], 503), v1([one, two])], 'held'],
  ['leaves one out, put off once', [v1([one, two]), v2([], null, 429), v2([one]), v1([one, two])], 'broken'],
  ['has nothing to be compared with', [v1([one, two]), v2([one]), v1([one, two], 404)], ''],
])
