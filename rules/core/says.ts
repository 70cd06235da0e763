/** What a response can speak of: what was sent, and how; who asks; what is missing; what is in the way. */
export type Subject = 'value' | 'form' | 'caller' | 'thing' | 'operation' | 'state' | 'moment'

/** Somebody on the way failed, and not the target: gateways, and the service in front of many of them. */
const ON_THE_WAY = [502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527, 530]

const SUBJECTS: ReadonlyMap<number, Subject> = new Map(
  Object.entries({
    value: [400, 422],
    form: [406, 411, 413, 414, 415, 426, 431],
    caller: [401, 403, 407],
    thing: [404, 410],
    operation: [405, 501],
    state: [402, 409, 412, 423, 425, 428],
    moment: [408, 429, ...ON_THE_WAY],
  }).flatMap(([subject, statuses]) => statuses.map((status): [number, Subject] => [status, subject as Subject])),
)

/**
 * Whether the status of a response speaks of one of the subjects. The one place that knows what statuses mean: which of them
 * count for a rule is the rule's matter.
 */
export function says({ status }: { readonly status: number }, ...subjects: readonly Subject[]): boolean {
  const subject = SUBJECTS.get(status)
  return subject !== undefined && subjects.includes(subject)
}

/** Whether the target itself failed, and says so: a server error that is neither of the way nor 'not implemented'. */
export function isBreakdown({ status }: { readonly status: number }): boolean {
  return status >= 500 && !SUBJECTS.has(status)
}

/** Whether a status says that a request was lost on the way: whether it was carried out is not known. */
export function isLostOnTheWay(status: number): boolean {
  return ON_THE_WAY.includes(status)
}

/** Whether a target says that it does nothing now. */
export function isPutOff(status: number): boolean {
  return status === 429 || status === 503
}
