import { expect, test } from 'vitest'
import { basePathOf, pathOf, percentEncoded, plainBaseOf, queryOf, withoutBase } from './url.ts'

test('a base URL has one path, whether a slash stands at its end or not', () => {
  expect(['http://a', 'http://a/', 'http://a/b', 'http://a/b/', 'http://a/b/?x'].map(basePathOf)).toEqual([
    '',
    '',
    '/b',
    '/b',
    '/b',
  ])
  expect(['HTTP://A:80/b/', 'https://a:443/b?q#f'].map(plainBaseOf)).toEqual(['http://a/b', 'https://a/b'])
})

test('only a whole part of a path is taken for the base', () => {
  expect(['/b/v1', '/bc/v1', '/b', '/v1/b/'].map((path) => withoutBase(path, '/b'))).toEqual([
    '/v1',
    '/bc/v1',
    '/b',
    '/v1/b/',
  ])
  expect(withoutBase('//v1', '')).toBe('//v1')
})

test('the path of a URL is what stands behind the base, without the query', () => {
  expect(['http://a/b/v1?x=/y', 'http://a/b/v1', 'http://a'].map((url) => pathOf(url, '/b'))).toEqual([
    '/v1',
    '/v1',
    '/',
  ])
})

test('a query is read decoded, where there is one', () => {
  expect(queryOf('http://a/b?x=%20y&z&x=+')).toEqual([
    { name: 'x', value: ' y' },
    { name: 'z', value: '' },
    { name: 'x', value: ' ' },
  ])
  expect(queryOf('/b')).toEqual([])
})

test('a value is encoded, also one that is no text', () => {
  expect(percentEncoded('a/b ü 😀')).toBe('a%2Fb%20%C3%BC%20%F0%9F%98%80')
  expect(percentEncoded('a\ud800b\udc00')).toBe('a%EF%BF%BDb%EF%BF%BD')
})
