import { describe, expect, test } from 'vitest'
import { circlesIn, folderGraphs } from './circles.ts'

describe('circles of a graph', () => {
  test.each<[what: string, edges: Readonly<Record<string, string>>, circles: string[]]>([
    ['a graph whose ways all end has none', { a: 'bc', b: 'd', c: 'd', d: '' }, []],
    ['two nodes that point at each other are one circle', { a: 'b', b: 'a' }, ['aba']],
    ['a node that points at itself is a circle', { a: 'a', b: 'a' }, ['aa']],
    ['a circle behind a way in is named without that way', { a: 'b', b: 'c', c: 'd', d: 'b' }, ['bcdb']],
    ['the shortest way round is named', { a: 'bx', b: 'c', c: 'a', x: 'a' }, ['axa', 'bcab']],
    ['circles apart from each other are all named', { a: 'b', b: 'a', c: 'd', d: 'c', e: 'ac' }, ['aba', 'cdc']],
    ['a node that nobody declares has no way on', { a: 'z' }, []],
  ])('%s', (_, edges, circles) => {
    const graph = new Map(Object.entries(edges).map(([node, to]) => [node, [...to]]))
    expect(circlesIn(graph).map((way) => way.join(''))).toEqual(circles)
  })
})

describe('folders', () => {
  test.each<[what: string, files: Readonly<Record<string, readonly string[]>>, circles: string[]]>([
    [
      'two folders whose files refer to each other form a circle, though no files do',
      { 'r/a/1.ts': ['r/b/1.ts'], 'r/b/2.ts': ['r/a/2.ts'] },
      ['r: a -> b -> a'],
    ],
    [
      'a folder stands for all that it holds',
      { 'r/a/deep/1.ts': ['r/b/1.ts'], 'r/b/deep/2.ts': ['r/a/2.ts'] },
      ['r: a -> b -> a'],
    ],
    [
      "a folder and its parent's own files form a circle",
      { 'r/1.ts': ['r/a/1.ts'], 'r/a/2.ts': ['r/2.ts'] },
      ['r: . -> a -> .'],
    ],
    [
      'what goes one way forms none, and files of one folder are no circle of folders',
      { 'r/1.ts': ['r/a/1.ts', 'r/2.ts'], 'r/a/1.ts': ['r/b/1.ts'], 'r/2.ts': ['r/1.ts'] },
      [],
    ],
  ])('%s', (_, files, circles) => {
    const graphs = folderGraphs(new Map(Object.entries(files)))
    const found = [...graphs].flatMap(([folder, own]) => circlesIn(own).map((way) => `${folder}: ${way.join(' -> ')}`))
    expect(found).toEqual(circles)
  })
})
