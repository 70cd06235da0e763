import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** The memory of this thread's engine. */
export interface Heap {
  /** bytes in use, buffers outside of the engine's own heap included; garbage counts */
  used(): number
  collect(): void
}

/** Below this nothing is collected: it would cost time and save little. */
export const LEAST_BYTES: number = 80 * 1024 * 1024

/** How many times as large as what was in use the heap may grow. */
const GROWTH = 1.5

/**
 * Makes a function that is to be called now and then: it collects garbage when there may be half as much of it as of the rest.
 * The engine by itself first waits until the heap is many times as large as what a run needs, which is about 50 MB.
 */
export function createHeapWatch(heap: Heap, least: number = LEAST_BYTES): () => void {
  let live = 0
  return () => {
    if (heap.used() < Math.max(least, GROWTH * live)) return
    heap.collect()
    live = heap.used()
  }
}

/** Calls between two looks at the heap. */
const OFTEN = 128

/** The same for the heap of this thread, to be called for each of many small things. `least`: see `LEAST_BYTES`. */
export function createOftenWatch(least: number = LEAST_BYTES): () => void {
  const watch = createHeapWatch(engineHeap(), least)
  let calls = 0
  return () => {
    calls += 1
    if (calls % OFTEN === 0) watch()
  }
}

/** The real one. Does nothing on an engine that does not let its garbage be collected. */
export function engineHeap(): Heap {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('globalThis.gc')
  return {
    used() {
      const { used_heap_size: inside, external_memory: outside } = getHeapStatistics()
      return inside + outside
    },
    collect: () => (typeof collect === 'function' ? collect() : undefined),
  }
}
