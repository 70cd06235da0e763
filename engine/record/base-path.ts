import { bounded, visible } from '../../reports/text.ts'
import { basePathOf } from '../../schemas/url.ts'

const LONGEST_PATH = 200

/**
 * Watches for clients that send the path of the target as well, so that it stands there twice and nothing is found. The
 * answer is called with the URL of each request; `note` once, with the first of them that has it.
 */
export function watchDoubledPath(target: string, note: (text: string) => void): (url: string | undefined) => void {
  const front = basePathOf(target)
  let quiet = front === ''
  return (url = '') => {
    if (quiet) return
    // clients of a proxy send the absolute form
    const path = url.replace(/^https?:\/\/[^/?#]*/i, '')
    if (!path.startsWith(front) || !/^([/?]|$)/.test(path.slice(front.length))) return
    quiet = true
    const asked = bounded(visible(path), LONGEST_PATH)
    note(
      `notice: a client asked for ${asked}, which became ${front}${asked}. The proxy adds ${front} to every path: leave it out in the client.`,
    )
  }
}
