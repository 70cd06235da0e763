import type { Exchange } from '../../../schemas/types/exchange.ts'
import { plainJson } from '../../inert.ts'
import { OWN_HEADERS, partsOf } from '../../shell.ts'

/** The request of an exchange as a call of `fetch`. Configured secrets are taken from the environment. */
export function fetchCall({ request }: Exchange): string {
  const { method, url, headers, postData } = request
  const lines = [`  method: ${written(method)},`]
  const sent = headers.filter(({ name }) => !OWN_HEADERS.has(name.toLowerCase()))
  if (sent.length > 0) {
    const pairs = sent.map(({ name, value }) => `    [${written(name)}, ${written(value)}],`)
    lines.push('  headers: [', ...pairs, '  ],')
  }
  if (postData) {
    const { text, encoding } = postData
    const body =
      encoding === 'base64' ? `Uint8Array.from(atob(${written(text)}), (c) => c.charCodeAt(0))` : written(text)
    lines.push(`  body: ${body},`)
  }
  const note = postData?._cut === true ? '// Only the beginning of this body was kept.\n' : ''
  return `${note}await fetch(${written(url)}, {\n${lines.join('\n')}\n})`
}

/** A text of JavaScript that means this, in which nothing acts on whoever looks at it. */
function written(text: string): string {
  const parts = partsOf(text)
  if (parts.every((part) => typeof part === 'string')) return plainJson(parts.join(''))
  const inside = parts.map((part) => {
    if (typeof part !== 'string') return `\${process.env.${part.variable}}`
    return plainJson(part)
      .slice(1, -1)
      .replaceAll('\\"', '"')
      .replaceAll(/`|\$\{/g, '\\$&')
  })
  return `\`${inside.join('')}\``
}

/** An exchange as an entry of a HAR file. */
export function harEntry(exchange: Exchange): string {
  return plainJson(exchange, 2)
}
