import type { Taken } from '../tee/taken.ts'
import { rawOf } from './raw.ts'
import type { PathJudge } from './request-judge.ts'

/** Names the requirements in question, with commas between them. */
const ANNOTATION = 'Assay-Findings'

/** Ids that one header field names. */
const MOST = 20

/**
 * The header field that says what a request breaks, and what the status of its answer breaks: what is known before the
 * head of the answer is sent. Undefined where nothing is wrong, or too little of the request was kept.
 */
export function createAnnotator(judge: PathJudge): (taken: Taken) => readonly string[] | undefined {
  return (taken) => {
    if (taken.request.cut) return undefined
    const raw = rawOf(
      {
        method: taken.method,
        url: taken.url,
        httpVersion: taken.httpVersion,
        rawHeaders: [...taken.requestHeaders],
      },
      Buffer.concat(taken.request.chunks),
      { statusCode: taken.status, statusMessage: taken.statusText, rawHeaders: [...taken.responseHeaders] },
    )
    const found = [...judge.violations(raw).list, ...judge.statusFindings(raw)].map(({ requirement }) => requirement)
    return found.length === 0 ? undefined : [ANNOTATION, [...new Set(found)].slice(0, MOST).join(', ')]
  }
}
