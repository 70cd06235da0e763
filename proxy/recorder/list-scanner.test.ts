import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ListScanner } from './list-scanner.ts'

/** What comes out of a text that arrives in pieces of so many characters. */
function scan(text: string, pointer: string, piece: number): { elements: string[]; outline: string | undefined } {
  const elements: string[] = []
  const scanner = new ListScanner(pointer, 2, (element) => elements.push(element))
  for (let index = 0; index < text.length; index += piece) scanner.push(text.slice(index, index + piece))
  return { elements, outline: scanner.end() }
}

describe('a list in a JSON text', () => {
  test.each([1, 2, 3, 7, 1000])('comes out element by element, in pieces of %i characters', (piece) => {
    const text =
      '{"a":[9],"b":{"lines":[0]},"lines":[ {"x":"],}\\"{["}, 2 ,"\\\\", [3,[4]],{"lines":[5]}],"next":"t","lines2":[1]}'
    expect(scan(text, '/lines', piece)).toEqual({
      elements: ['{"x":"],}\\"{["}', '2', '"\\\\"', '[3,[4]]', '{"lines":[5]}'],
      outline: '{"a":[9],"b":{"lines":[0]},"lines":[{"x":"],}\\"{["},2],"next":"t","lines2":[1]}',
    })
  })

  test('may be the text itself, may be empty, and may stand deeper', () => {
    expect(scan('[1,2,3]', '', 1)).toEqual({ elements: ['1', '2', '3'], outline: '[1,2]' })
    expect(scan('{"lines":[ ]}', '/lines', 4)).toEqual({ elements: [], outline: '{"lines":[]}' })
    expect(scan('{"a":{"b":[1,2,3]},"b":[4]}', '/a/b', 3)).toEqual({
      elements: ['1', '2', '3'],
      outline: '{"a":{"b":[1,2]},"b":[4]}',
    })
  })

  test.each(['{"other":[1]}', '{"lines":[1,2', 'nothing', '{"lines":{"a":[1]}}'])('is not there: %s', (text) => {
    expect(scan(text, '/lines', 3).outline).toBeUndefined()
  })

  test('any value comes out as it went in, wherever the text is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue()),
        fc.jsonValue(),
        fc.nat({ max: 20 }),
        fc.boolean(),
        (lines, other, piece, pretty) => {
          const text = JSON.stringify({ before: other, lines, after: other }, null, pretty ? 2 : 0)
          const { elements, outline } = scan(text, '/lines', piece + 1)
          expect(elements.map((element) => JSON.parse(element))).toEqual(JSON.parse(JSON.stringify(lines)))
          expect(JSON.parse(outline ?? '')).toEqual(
            JSON.parse(JSON.stringify({ before: other, lines: lines.slice(0, 2), after: other })),
          )
        },
      ),
    )
  })
})
