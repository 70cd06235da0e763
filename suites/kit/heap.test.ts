import { describe, expect, test } from 'vitest'
import { createHeapWatch, engineHeap, LEAST_BYTES } from './heap.ts'

/** A heap of `live` bytes with garbage that grows. */
function heapOf(live: number): { used(): number; collect(): void; garbage: number; collected: number } {
  return {
    garbage: 0,
    collected: 0,
    used() {
      return live + this.garbage
    },
    collect() {
      this.garbage = 0
      this.collected += 1
    },
  }
}

describe('a watched heap', () => {
  test('is left alone while it is small', () => {
    const heap = heapOf(LEAST_BYTES - 2)
    const watch = createHeapWatch(heap)
    heap.garbage = 1
    watch()
    expect(heap.collected).toBe(0)
    heap.garbage = 2
    watch()
    expect(heap.collected).toBe(1)
  })

  test('is not collected again and again where little of it is garbage', () => {
    const heap = heapOf(LEAST_BYTES)
    const watch = createHeapWatch(heap)
    for (let call = 0; call < 10; call += 1) watch()
    expect(heap.collected).toBe(1)
    heap.garbage = LEAST_BYTES
    watch()
    expect(heap.collected).toBe(2)
  })

  test('of the engine loses what nobody holds', () => {
    const heap = engineHeap()
    let held: unknown[] | undefined = Array.from({ length: 1_000_000 }, (_, index) => ({ index }))
    expect(held.length).toBe(1_000_000)
    const before = heap.used()
    held = undefined
    heap.collect()
    expect(held).toBeUndefined()
    expect(before - heap.used()).toBeGreaterThan(16_000_000)
  })
})
