import { stat } from 'node:fs/promises'
import type { Io } from '../../cli/io.ts'
import type { Recording } from '../../fixtures/recording/read.ts'
import { clip } from '../../reports/text.ts'

export interface CheckProgress {
  /** one more exchange */
  add(): void
  end(): void
}

const REPAINT_MS = 200
const PLAIN_MS = 5_000
const WIDTH = 20

/** A line on the error output: a bar by the share of files read, and how many exchanges there were. */
export async function watchProgress(recordings: readonly Recording[], io: Io): Promise<CheckProgress> {
  const files = recordings.flatMap((one) => one.files)
  const sizes = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  const megabytes = (sizes.reduce((sum, size) => sum + size, 0) / 1e6).toFixed(1)
  const started = performance.now()
  let exchanges = 0
  let painted = false
  const paint = (): void => {
    const seconds = (performance.now() - started) / 1000
    const rate = Math.round(exchanges / Math.max(seconds, 0.001)).toLocaleString('en-US')
    const bar = '#'.repeat(Math.floor(seconds * 4) % WIDTH).padEnd(WIDTH, '.')
    const line = `checking [${bar}] ${exchanges.toLocaleString('en-US')} exchanges of ${files.length} files (${megabytes} MB), ${rate}/s`
    io.stderr.write(io.isTty ? `\r\u001b[2K${clip(line, io.columns - 1)}` : `${line}\n`)
    painted = true
  }
  const timer = setInterval(paint, io.isTty ? REPAINT_MS : PLAIN_MS)
  return {
    add() {
      exchanges += 1
    },
    end() {
      clearInterval(timer)
      if (painted && io.isTty) io.stderr.write('\r\u001b[2K')
      painted = false
    },
  }
}
