import { describe, expect, it } from 'vitest'
import { collectChunks } from './v8-tuning.ts'

const CHUNK = 65_536

/** The most bytes that buffers take while so many chunks are made and thrown away, beyond those at the beginning. */
function mostWhile(passed: (bytes: number) => void, chunks: number): number {
  const before = process.memoryUsage().arrayBuffers
  let most = 0
  for (let count = 0; count < chunks; count += 1) {
    passed(Buffer.allocUnsafeSlow(CHUNK).length)
    most = Math.max(most, process.memoryUsage().arrayBuffers - before)
  }
  return most
}

describe('what is left of chunks that have passed', () => {
  it('is collected each time that so many bytes were told of', () => {
    let sweeps = 0
    const passed = collectChunks(() => {
      sweeps += 1
    }, 1_000)
    for (const bytes of [999, 1, 400, 400, 5_000, 999]) passed(bytes)
    expect(sweeps).toBe(2)
  })

  it('does not pile up', () => {
    const sweeper = collectChunks()
    expect(mostWhile(sweeper, 3_000)).toBeLessThan(mostWhile(() => {}, 3_000) / 2)
  })
})
