import type { Report } from '../../schemas/types/report.ts'
import { aFinding, anExchange, aReport, aResult, aServerError } from '../testing.ts'

/** Everything that a target may say to break out of a format. */
const NASTY: string = [
  ']]><!-- & "quoted" \'x\' </failure></script><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '\u0000\u001b[2J\u001b]0;title\u0007\u202egnp.exe\u200b',
  '\r\n::error title=owned::owned\n::add-mask::x\n##[group]x',
  '`` ` ``` | [link](javascript:alert(1)) ![x](http://evil.invalid/x.png) @everyone #1 http://evil.invalid',
  '# heading\n- item\n> quote\n| a | b |\n|---|---|\n***bold***',
  '\ud800',
].join(' ')

/** A report in which every text that a target has a hand in is hostile. `repeat`: how often, to make it large. */
export function hostileReport(repeat = 1): Report {
  const text = NASTY.repeat(repeat)
  const exchange = anExchange({ method: text, url: text, requestBody: text, responseBody: text, outcome: text })
  const finding = aFinding({
    operation: text,
    case: text,
    message: text,
    expected: text,
    actual: text,
    pointer: text,
    edge: text,
    curl: text,
    reproduce: text,
    exchanges: [exchange],
  })
  return aReport({
    verdict: 'non-conformant',
    reason: text,
    target: { name: text, version: text, baseUrl: text, embedded: false },
    binding: { name: text, chain: [text], answered: [], unanswered: [] },
    suite: { name: text, version: text },
    only: [text],
    environment: { node: text },
    problems: [text],
    leftovers: [text],
    serverErrors: {
      count: 4,
      retried: 0,
      kinds: [aServerError({ operation: text, kind: text, smallest: exchange })],
    },
    results: [
      aResult({ id: 'FAIL-IT', verdict: 'fail', findings: [finding], text, section: text, category: text }),
      aResult({ id: 'WARN-IT', verdict: 'warn', findings: [finding], text, section: text }),
      aResult({ id: 'ERROR-IT', verdict: 'error', reason: text }),
      aResult({ id: 'IDLE-IT', verdict: 'not-run', reason: text }),
      aResult({ id: 'SEEN-IT', level: 'open', verdict: 'observed', evidence: { observations: { [text]: 1 } } }),
      aResult({ id: 'OK-OK' }),
    ],
  })
}
