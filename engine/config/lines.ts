/** Line of each value of a JSON text, by its pointer. The text is known to be JSON. */
export function linesOfJson(text: string): Map<string, number> {
  const lines = new Map<string, number>()
  let index = 0
  let line = 1
  const blank = (): void => {
    for (; /[\s:,]/.test(text[index] ?? ''); index += 1) if (text[index] === '\n') line += 1
  }
  const string = (): string => {
    const start = index
    for (index += 1; text[index] !== '"' && index < text.length; index += 1) if (text[index] === '\\') index += 1
    index += 1
    return JSON.parse(text.slice(start, index)) as string
  }
  const value = (pointer: string): void => {
    blank()
    if (!lines.has(pointer)) lines.set(pointer, line)
    const first = text[index]
    if (first === '{' || first === '[') {
      index += 1
      for (let place = 0; ; place += 1) {
        blank()
        if (index >= text.length || text[index] === '}' || text[index] === ']') break
        let name = String(place)
        const at = line
        if (first === '{') name = string().replaceAll('~', '~0').replaceAll('/', '~1')
        lines.set(`${pointer}/${name}`, at)
        value(`${pointer}/${name}`)
      }
      index += 1
    } else if (first === '"') string()
    else while (index < text.length && !/[\s,\]}]/.test(text[index] ?? '')) index += 1
  }
  value('')
  return lines
}
