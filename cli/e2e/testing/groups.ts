import type { Running } from '../../testing/program.ts'

/** Whether a process of the group that a command started is still there. */
export function isGroupAlive({ child }: Running): boolean {
  try {
    process.kill(-Number(child.pid), 0)
    return true
  } catch {
    return false
  }
}
