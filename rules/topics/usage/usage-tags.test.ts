import type { Exchange } from '../../../schemas/types/exchange.ts'
import { FINAL, NOW, page, send, timed } from '../../_testing/lines.ts'
import { eachSays } from '../../_testing/says.ts'

const DAY = 86_400
const [ONE, OTHER] = ['assay-a-b-2', 'assay-a-b-3']
const sent = (...tags: readonly string[]): Exchange => send([{ number: 1, tags }])
const exported = (...tags: readonly string[]): Exchange => page([{ number: 1, tags }], null)
const report = (...names: readonly string[]): Exchange =>
  timed(`GET /v1/usage/tags?from=${NOW / 1000 - 3 * DAY}&to=${NOW / 1000 + 4 * DAY}&limit=100`, {
    got: names.map((name) => ({ name, current_total: 1, percentage_of_total: 50 })),
    intent: FINAL,
  })

eachSays({ told: 'USAGE-TAGS-AGGREGATES', title: 'a line %s' }, [
  ['with two tags is counted under both', [sent(ONE, OTHER), exported(ONE, OTHER), report(ONE, OTHER)], 'held held'],
  ['with two tags is counted under one alone', [sent(ONE, OTHER), exported(ONE, OTHER), report(ONE)], 'held broken'],
  ['may have been kept with one of two tags', [sent(ONE, OTHER), exported(ONE), report(ONE)], 'held'],
  ['may have been kept with one, where nothing shows it', [sent(ONE, OTHER), report(ONE)], 'held'],
  ['may be counted under both at once', [sent(ONE, OTHER), exported(ONE, OTHER), report(`${ONE},${OTHER}`)], ''],
  ['with one tag is counted under it', [sent(OTHER), report(ONE)], 'broken'],
])
