// The least that anybody can do with a recording: reads its segments, splits the lines and parses each. Tells its parent.
import { createReadStream, readdirSync } from 'node:fs'
import { join } from 'node:path'

export interface Parsed {
  readonly lines: number
  /** seconds of CPU */
  readonly cpu: number
}

const [folder = ''] = process.argv.slice(2)
let lines = 0
for (const name of readdirSync(folder).sort()) {
  let rest = ''
  for await (const chunk of createReadStream(join(folder, name), { encoding: 'utf8', highWaterMark: 1 << 20 })) {
    const parts = `${rest}${String(chunk)}`.split('\n')
    rest = parts.pop() ?? ''
    for (const line of parts) if (typeof JSON.parse(line) === 'object') lines += 1
  }
}
const { user, system } = process.cpuUsage()
const parsed: Parsed = { lines, cpu: (user + system) / 1e6 }
process.send?.(parsed)
