// What ends a script, and what turns the direction of the source for whoever looks at it.
const UNSAFE = /[<\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** JSON of a value, in which no reader of HTML can find the end of the script that holds it. */
export function inertJson(data: object): string {
  return JSON.stringify(data).replaceAll(UNSAFE, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
