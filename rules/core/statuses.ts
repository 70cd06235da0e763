/** Somebody on the way failed, and not the target: gateways, and the service in front of many of them. */
const ON_THE_WAY: ReadonlySet<number> = new Set([502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527, 530])
const LATER: ReadonlySet<number> = new Set([408, 429, ...ON_THE_WAY])

/** Whether a status speaks of the moment, and says nothing of the request. */
export function saysLater(status: number): boolean {
  return LATER.has(status)
}

/** Whether a status says that a request was lost on the way: whether it was carried out is not known. */
export function isLostOnTheWay(status: number): boolean {
  return ON_THE_WAY.has(status)
}

/** Whether a target says that it does nothing now. */
export function isPutOff(status: number): boolean {
  return status === 429 || status === 503
}
