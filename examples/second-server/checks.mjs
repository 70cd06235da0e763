// What a request has to look like. Each check returns what is wrong with a value, or undefined.

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const FORBIDDEN = /[<>"]/

export const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value)

export const text =
  ({ least = 0, most = Number.POSITIVE_INFINITY, plain = false } = {}) =>
  (value) => {
    if (typeof value !== 'string') return 'is no text'
    if (value.length < least || value.length > most) return `has ${value.length} characters`
    return plain && FORBIDDEN.test(value) ? 'holds a forbidden character' : undefined
  }
export const uuid = (value) => (typeof value === 'string' && UUID.test(value) ? undefined : 'is no UUID')
export const whole =
  (least = Number.MIN_SAFE_INTEGER, most = Number.MAX_SAFE_INTEGER) =>
  (value) =>
    Number.isInteger(value) && value >= least && value <= most ? undefined : 'is no whole number in its range'
export const truth = (value) => (typeof value === 'boolean' ? undefined : 'is neither true nor false')
export const oneOf = (words) => (value) => (words.includes(value) ? undefined : 'is none of the words allowed')
export const object = (value) => (isObject(value) ? undefined : 'is no object')
export const list =
  (check, least = 0) =>
  (value) => {
    if (!Array.isArray(value)) return 'is no list'
    if (value.length < least) return 'is too short'
    return value.map(check).find((fault) => fault !== undefined)
  }
export const texts = (value) => object(value) ?? Object.values(value).map(text()).find(Boolean)

/** Checks the known fields of an object that are there. Unknown fields are left alone. */
export const shape = (fields) => (value) => {
  if (!isObject(value)) return 'is no object'
  for (const [name, check] of Object.entries(fields)) {
    const fault = value[name] === undefined ? undefined : check(value[name])
    if (fault !== undefined) return `${name} ${fault}`
  }
  return undefined
}

const word = text()
export const alertBody = shape({
  name: word,
  channels: list(
    shape({
      integration: word,
      emails: list(word),
      url: word,
      key: word,
      triggerlimit: word,
      triggerinterval: word,
      immediate: truth,
      terminal: truth,
      operator: word,
      timezone: word,
      headers: texts,
      bodyTemplate: texts,
      autoresolve: truth,
      autoresolveinterval: word,
      autoresolvelimit: word,
    }),
  ),
})
