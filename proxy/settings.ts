/** How much may wait for the recorder, and how it is handed over. */
export const QUEUE: { readonly mostBytes: number; readonly batch: number; readonly delayMs: number } = {
  mostBytes: 32 * 1024 * 1024,
  batch: 64,
  delayMs: 20,
}
