/**
 * How much may wait for the recorder, and how it is handed over. Large lots cost less and keep the recorder busy longer at
 * a time: clients and target, which need the same processor, wait meanwhile. Tried with 6 to 256.
 */
export const QUEUE: { readonly mostBytes: number; readonly batch: number; readonly delayMs: number } = {
  mostBytes: 32 * 1024 * 1024,
  batch: 24,
  delayMs: 20,
}

/**
 * Connections that may wait to be accepted; the system may allow fewer. Node's own 511 are soon used up where many clients
 * come at once, and whoever is turned away tries again only a second later.
 */
export const BACKLOG: number = 4_096

/** Bytes of bodies of exchanges under way that are kept in memory before bodies are cut earlier than `maxBody`. */
export const MOST_HELD: number = 16 * 1024 * 1024
