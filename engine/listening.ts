import type { Problem } from './errors.ts'

/** Where a server of ours is to listen: `--host` and `--port`, or what is wrong with them. */
export function listenAddress(host: string, port: string): { host: string; port: number } | Problem {
  // Node takes an empty host for every address of the machine: a variable that is not set would open it to all.
  if (host.trim() === '') return { where: '--host', what: 'is empty', hint: 'name an address, such as 127.0.0.1' }
  const number = portOption('--port', port)
  return typeof number === 'number' ? { host, port: number } : number
}

const MOST_PORT = 65_535

/** The port that an option was given, or what is wrong with it. `where`: the option, as it is written. */
export function portOption(where: string, text: string): number | Problem {
  if (/^\d+$/.test(text) && Number(text) <= MOST_PORT) return Number(text)
  return { where, what: `${JSON.stringify(text)} is not a port`, hint: `from 0 to ${MOST_PORT}` }
}

/** Why nothing can listen at an address. `port`, `host`: the options that choose them. */
export function listenProblem(thrown: unknown, where: string, options: { port: string; host: string }): Problem {
  const { code = '', message }: NodeJS.ErrnoException = thrown instanceof Error ? thrown : new Error(String(thrown))
  const [what, which] = KNOWN[code] ?? [message, undefined]
  if (which === undefined) return { where, what, hint: '' }
  return { where, what, hint: `choose another ${options[which]}${which === 'port' ? '; 0 means any free one' : ''}` }
}

const KNOWN: Readonly<Record<string, readonly [what: string, which: 'port' | 'host']>> = {
  EADDRINUSE: ['something listens there already', 'port'],
  EACCES: ['this user may not listen on that port', 'port'],
  EADDRNOTAVAIL: ['this machine does not have that address', 'host'],
  ENOTFOUND: ['the name of the host is not known', 'host'],
  EAI_AGAIN: ['the name of the host cannot be looked up', 'host'],
}
