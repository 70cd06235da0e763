import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Gate } from './gate.ts'
import { createSend } from './http-proxy.ts'
import { Loops } from './loop.ts'
import type { Observe } from './observer.ts'
import { Passage } from './passage.ts'
import { openTarget, type Target, type TargetOptions } from './target.ts'

export interface ForwarderOptions {
  readonly target: TargetOptions
  readonly observe: Observe
  /** undefined: nothing is judged on the path */
  readonly gate?: Gate | undefined
  /** told of each request that could not be sent since this machine had no room for it, with the code of the error */
  readonly onLocalFault?: ((code: string) => void) | undefined
  /** told of each response in which an address of the target became one of this proxy */
  readonly onMoved?: (() => void) | undefined
}

/** Takes requests to the target and its answers back. */
export interface Forwarder {
  readonly target: Target
  /** Whether this proxy sent a request itself: it would go round for ever. */
  isOwn(request: IncomingMessage): boolean
  forward(request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void
  /** exchanges under way */
  readonly active: () => number
  /** closes the idle connections to the target */
  close(): void
}

/**
 * Forwards over http-proxy. It makes the request to the target and reports the outcome. Headers and ends are dealt with
 * here, because http-proxy has several flaws. It loses order, case and duplicates of fields, trailers and double
 * slashes. It keeps fields that are meant for one hop, and mends the length of chunked requests wrongly. And it forgets
 * the other side when one side dies.
 */
export function createForwarder(options: ForwarderOptions): Forwarder {
  const target = openTarget(options.target)
  const loops = new Loops()
  const send = createSend(target, loops)
  const { gate, onLocalFault, onMoved } = options
  let active = 0
  const onDone = (): void => {
    active -= 1
  }
  return {
    target,
    isOwn: (request) => loops.isOwn(request),
    forward(request, response, expectsContinue) {
      active += 1
      const observer = options.observe(request)
      const given = { target, send, observer, gate, expectsContinue, onDone, onLocalFault, onMoved }
      new Passage(request, response, { ...given, more: loops.fields(active) }).start()
    },
    active: () => active,
    close: () => target.agent.destroy(),
  }
}
