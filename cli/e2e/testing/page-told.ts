import { get } from 'node:http'

/** The text at an address, each byte as one character. */
export function fetched(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (answer) => {
      let text = ''
      answer.setEncoding('latin1').on('data', (chunk: string) => {
        text += chunk
      })
      answer.on('end', () => resolve(text))
    }).on('error', reject)
  })
}

/** The ids of the exchanges that a live page was told of, each of which is a row that begins with its id. */
export function idsIn(events: string): string[] {
  return [...new Set([...events.matchAll(/\["([\w-]+-\d{9})",/g)].map(([, id = '']) => id))]
}

/** All that a live page has told so far of what it sees, whenever it is asked. */
export function eventsOf(page: string): () => string {
  let text = ''
  get(`${page}/events`, { agent: false }, (answer) => {
    answer.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk
    })
    answer.on('error', () => {})
  }).on('error', () => {})
  return () => text
}
