import { FromBase } from '../from-base.ts'

/**
 * An array of `count` of the base's own elements, so that references stay good; `filler` stands in where the base has
 * none. `repeat` false: never longer than the base's array, since naming an element twice is another question.
 */
export function elements(count: number, filler: unknown, repeat: boolean): FromBase {
  return new FromBase(countLabel(count), (current) => {
    const own: readonly unknown[] = Array.isArray(current) && current.length > 0 ? current : [filler]
    const length = repeat ? count : Math.min(count, own.length)
    return Array.from({ length }, (_, index) => own[index % own.length])
  })
}

/** '1 element', '3 elements'. */
function countLabel(count: number): string {
  return count === 1 ? '1 element' : `${count} elements`
}
