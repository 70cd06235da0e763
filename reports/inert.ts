// What turns the direction of a text, ends a line or cannot be seen, and what acts on a terminal without being ASCII. And
// what the log of a build takes for a command within a line.
const ACTS =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff]|[\u{e0000}-\u{e007f}]|#(?=#[\w-]*\[)/gu

/** JSON of a value, in which nothing acts on its reader: the same value, in another spelling. */
export function plainJson(data: unknown, indent?: number): string {
  return JSON.stringify(data, null, indent).replaceAll(ACTS, escaped)
}

/** The same, in which no reader of HTML can find the end of the script that holds it. */
export function inertJson(data: object): string {
  return plainJson(data).replaceAll('<', escaped)
}

function escaped(character: string): string {
  const units = character.split('')
  return units.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
}
