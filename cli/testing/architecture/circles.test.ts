import { describe, expect, test } from 'vitest'
import { circlesIn, folderGraphs } from './circles.ts'

function graph(edges: Readonly<Record<string, string>>): Map<string, string[]> {
  return new Map(Object.entries(edges).map(([node, to]) => [node, to.split('').filter(Boolean)]))
}

describe('circles of a graph', () => {
  test('a graph whose ways all end has none', () => {
    expect(circlesIn(graph({ a: 'bc', b: 'd', c: 'd', d: '' }))).toEqual([])
  })

  test('two nodes that point at each other are one circle', () => {
    expect(circlesIn(graph({ a: 'b', b: 'a' }))).toEqual([['a', 'b', 'a']])
  })

  test('a node that points at itself is a circle', () => {
    expect(circlesIn(graph({ a: 'a', b: 'a' }))).toEqual([['a', 'a']])
  })

  test('a circle behind a way in is named without that way', () => {
    expect(circlesIn(graph({ a: 'b', b: 'c', c: 'd', d: 'b' }))).toEqual([['b', 'c', 'd', 'b']])
  })

  test('the shortest way round is named', () => {
    expect(circlesIn(graph({ a: 'bx', b: 'c', c: 'a', x: 'a' }))).toEqual([
      ['a', 'x', 'a'],
      ['b', 'c', 'a', 'b'],
    ])
  })

  test('circles apart from each other are all named', () => {
    expect(circlesIn(graph({ a: 'b', b: 'a', c: 'd', d: 'c', e: 'ac' }))).toEqual([
      ['a', 'b', 'a'],
      ['c', 'd', 'c'],
    ])
  })

  test('a node that nobody declares has no way on', () => {
    expect(circlesIn(graph({ a: 'z' }))).toEqual([])
  })
})

describe('folders', () => {
  function circles(files: Readonly<Record<string, readonly string[]>>): string[] {
    const graphs = folderGraphs(new Map(Object.entries(files)))
    return [...graphs].flatMap(([folder, own]) => circlesIn(own).map((way) => `${folder}: ${way.join(' -> ')}`))
  }

  test('two folders whose files refer to each other form a circle, though no files do', () => {
    expect(circles({ 'r/a/1.ts': ['r/b/1.ts'], 'r/b/2.ts': ['r/a/2.ts'] })).toEqual(['r: a -> b -> a'])
  })

  test('a folder stands for all that it holds', () => {
    expect(circles({ 'r/a/deep/1.ts': ['r/b/1.ts'], 'r/b/deep/2.ts': ['r/a/2.ts'] })).toEqual(['r: a -> b -> a'])
  })

  test("a folder and its parent's own files form a circle", () => {
    expect(circles({ 'r/1.ts': ['r/a/1.ts'], 'r/a/2.ts': ['r/2.ts'] })).toEqual(['r: . -> a -> .'])
  })

  test('what goes one way forms none, and files of one folder are no circle of folders', () => {
    expect(circles({ 'r/1.ts': ['r/a/1.ts', 'r/2.ts'], 'r/a/1.ts': ['r/b/1.ts'], 'r/2.ts': ['r/1.ts'] })).toEqual([])
  })
})
