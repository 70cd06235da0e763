/**
 * Fills the {{placeholders}} of a template. A string that is nothing but one placeholder takes the value with its type.
 * `numbers`: placeholder of an id -> whether the target writes it as a number; other values stay. Throws where a
 * placeholder has no value.
 */
export function fillTemplate(
  template: unknown,
  values: Readonly<Record<string, unknown>>,
  numbers?: ReadonlyMap<string, boolean>,
): unknown {
  if (typeof template === 'string') return fillString(template, values, numbers)
  if (Array.isArray(template)) return template.map((element) => fillTemplate(element, values, numbers))
  if (template !== null && typeof template === 'object') {
    return Object.fromEntries(
      Object.entries(template).map(([name, value]) => [name, fillTemplate(value, values, numbers)]),
    )
  }
  return template
}

/** The names of the placeholders in a template. */
export function placeholders(template: unknown): Set<string> {
  return new Set([...JSON.stringify(template ?? null).matchAll(/\{\{([\w-]+)\}\}/g)].map((match) => match[1] ?? ''))
}

function fillString(
  template: string,
  values: Readonly<Record<string, unknown>>,
  numbers: ReadonlyMap<string, boolean> | undefined,
): unknown {
  const whole = /^\{\{([\w-]+)\}\}$/.exec(template)?.[1]
  if (whole === undefined)
    return template.replaceAll(/\{\{([\w-]+)\}\}/g, (_, name: string) => String(filled(name, values)))
  const value = filled(whole, values)
  const number = numbers?.get(whole) ? Number(value) : Number.NaN
  return Number.isNaN(number) ? value : number
}

function filled(name: string, values: Readonly<Record<string, unknown>>): unknown {
  if (!Object.hasOwn(values, name)) throw new Error(`no value for {{${name}}}`)
  return values[name]
}
