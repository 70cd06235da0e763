import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** Says whose clock times are of, and nothing else: equal for all processes of one machine until it is started again. */
export function clockName(): string {
  let machine: string
  try {
    machine = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')
  } catch {
    machine = hostname()
  }
  return createHash('sha256').update(machine).digest('hex').slice(0, 12)
}
