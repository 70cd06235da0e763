import type { Problem } from '../errors.ts'
import { didYouMean } from './nearest.ts'
import { MOST_PROBLEMS, placeIn } from './record-problems.ts'

/**
 * A copy of a configuration in which each `${env:NAME}` is replaced by that variable, and a problem for each that is
 * not set. A variable set to nothing counts as not set: that is how a forgotten secret looks in a pipeline.
 */
export function fillEnvironment(
  value: unknown,
  env: Readonly<Record<string, string | undefined>>,
  source: string,
  pointer = '',
): { value: unknown; problems: Problem[] } {
  const problems: Problem[] = []
  const fill = (current: unknown, place: string): unknown => {
    if (typeof current === 'string') return fillString(current, place)
    if (Array.isArray(current)) return current.map((element, index) => fill(element, `${place}/${index}`))
    if (current === null || typeof current !== 'object') return current
    return Object.fromEntries(Object.entries(current).map(([name, child]) => [name, fill(child, `${place}/${name}`)]))
  }
  const fillString = (text: string, place: string): string => {
    const where = placeIn(source, place)
    return text.replaceAll(/\$\{env:([^}]*)(\}|$)/g, (written, name: string, end: string) => {
      if (end === '' || !/^[A-Za-z_]\w*$/.test(name)) {
        problems.push({
          where,
          what: `${written} is not of the form \${env:NAME}`,
          hint: 'name an environment variable',
        })
        return written
      }
      // Only what is set: toString and the like are no variables.
      const found = Object.hasOwn(env, name) ? env[name] : undefined
      if (found !== undefined && found !== '') return found
      const what = `the environment variable ${name} is ${found === '' ? 'empty' : 'not set'}`
      problems.push({ where, what, hint: didYouMean(name, setNames(env), `set it: export ${name}=…`) })
      return written
    })
  }
  return { value: fill(value, pointer), problems: problems.slice(0, MOST_PROBLEMS) }
}

/** Only names of our own are proposed: the rest of the environment is no business of a message. */
function setNames(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.keys(env).filter((name) => name.startsWith('ASSAY_') && env[name] !== '')
}
