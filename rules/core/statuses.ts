/** From 502 on: somebody on the way failed, and not the target: gateways, and the service in front of many of them. */
const LATER: ReadonlySet<number> = new Set([408, 429, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527, 530])

/** Whether a status speaks of the moment, and says nothing of the request. */
export function saysLater(status: number): boolean {
  return LATER.has(status)
}

/** Whether a target says that it does nothing now. */
export function isPutOff(status: number): boolean {
  return status === 429 || status === 503
}
