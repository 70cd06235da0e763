import { describe, expect, test } from 'vitest'
import { basePathOf } from '../../schemas/url.ts'
import { watchDoubledPath } from './record.ts'

function said(target: string, ...urls: (string | undefined)[]): string[] {
  const notes: string[] = []
  const watch = watchDoubledPath(target, (text) => notes.push(text))
  for (const url of urls) watch(url)
  return notes
}

test.each([
  ['http://h', ''],
  ['http://h/', ''],
  ['http://h/tenant/a', '/tenant/a'],
  ['http://h/tenant/a/', '/tenant/a'],
])('of %s stands %j in front', (target, front) => expect(basePathOf(target)).toBe(front))

describe('a client that sends the path of the target as well', () => {
  test.each(['/tenant/a/v1/x', '/tenant/a', '/tenant/a?x=1', 'http://h/tenant/a/v1/x'])('with %s is noticed', (url) => {
    const [note = ''] = said('http://h/tenant/a', '/v1/x', url)
    expect(note).toMatch(/^notice: a client asked for \/tenant\/a\S*, which became \/tenant\/a\/tenant\/a/)
  })
  test('is noticed once', () => expect(said('http://h/a/', '/a/1', '/a/2', '/a/3')).toHaveLength(1))
  test.each(['/v1/tenant/a', '/tenant/ab/v1', '/tenant', '/', '*', undefined])('is not who asks for %s', (url) =>
    expect(said('http://h/tenant/a', url)).toEqual([]),
  )
  test('cannot be where the target has no path', () => expect(said('http://h/', '/', '/v1/x')).toEqual([]))
  test('cannot act on the terminal', () => expect(said('http://h/a', '/a/\u001b[2J')[0]).not.toContain('\u001b'))
})
