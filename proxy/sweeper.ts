import { garbageCollector } from '../fixtures/heap.ts'

/** Bytes that pass between two sweeps. */
const SWEEP_BYTES = 2 * 1024 * 1024

/**
 * Makes a function that is told of all bytes that pass, and collects now and then what is left of their chunks. These lie
 * outside of the heap, where the engine lets 64 MiB pile up; memory that is used again while it is still in the caches of
 * the processor also takes less time than memory that is new.
 */
export function createSweeper(
  collect: ReturnType<typeof garbageCollector> = garbageCollector(),
  everyBytes: number = SWEEP_BYTES,
): (bytes: number) => void {
  let passed = 0
  return (bytes) => {
    passed += bytes
    if (passed < everyBytes) return
    passed = 0
    collect({ type: 'minor' })
  }
}
