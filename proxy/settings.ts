/**
 * How much may wait for the recorder, and how it is handed over: seldom and much at once. Where both threads share one
 * processor, each lot holds up a request, and so fewer than one in a hundred.
 */
export const QUEUE: { readonly mostBytes: number; readonly batch: number; readonly delayMs: number } = {
  mostBytes: 32 * 1024 * 1024,
  batch: 256,
  delayMs: 50,
}

/** Bytes of bodies of exchanges under way that are kept in memory before bodies are cut earlier than `maxBody`. */
export const MOST_HELD: number = 16 * 1024 * 1024
