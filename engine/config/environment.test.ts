// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of our own are written so
import { expect, test } from 'vitest'
import { fillEnvironment } from './environment.ts'

test('variables are filled in wherever a string stands', () => {
  const value = { a: '${env:ONE}', b: [{ c: 'x-${env:ONE}-${env:TWO}' }], n: 1, t: true, z: null }
  expect(fillEnvironment(value, { ONE: '1', TWO: 'two $& ${env:ONE}' }, 'f')).toEqual({
    value: { a: '1', b: [{ c: 'x-1-two $& ${env:ONE}' }], n: 1, t: true, z: null },
    problems: [],
  })
})

test('a variable that is not set is named, with its place', () => {
  const { problems } = fillEnvironment({ credentials: { accessToken: 'Token ${env:NOPE}' } }, {}, 'f.json')
  expect(problems).toEqual([
    {
      where: 'f.json#/credentials/accessToken',
      what: 'the environment variable NOPE is not set',
      hint: 'set it: export NOPE=…',
    },
  ])
})

test('all that are missing are told at once', () => {
  const { problems } = fillEnvironment(['${env:A} ${env:B}', '${env:C}'], {}, 'f')
  expect(problems.map(({ where }) => where)).toEqual(['f#/0', 'f#/0', 'f#/1'])
})

test.each(['toString', 'constructor', '__proto__', 'hasOwnProperty'])('%s is no variable unless it is set', (name) => {
  const { problems } = fillEnvironment(`\${env:${name}}`, process.env, 'f')
  expect(problems.map(({ what }) => what)).toEqual([`the environment variable ${name} is not set`])
  expect(fillEnvironment(`\${env:${name}}`, Object.fromEntries([[name, 'x']]), 'f').value).toBe('x')
})

test('an empty variable counts as not set', () => {
  expect(fillEnvironment('${env:A}', { A: '' }, 'f').problems[0]?.what).toBe('the environment variable A is empty')
})

test('a slip in the name finds the one that is set, but names nothing that is not ours', () => {
  const env = { ASSAY_ACCESS_TOKEN: 'x', AWS_SECRET: 'y' }
  expect(fillEnvironment('${env:ASSAY_ACESS_TOKEN}', env, 'f').problems[0]?.hint).toBe(
    'did you mean ASSAY_ACCESS_TOKEN?',
  )
  expect(fillEnvironment('${env:AWS_SECRT}', env, 'f').problems[0]?.hint).toBe('set it: export AWS_SECRT=…')
})

test.each(['${env:}', '${env:A B}', '${env:A', '${env:1A}'])('%s is refused', (text) => {
  const { problems, value } = fillEnvironment(text, { A: 'x' }, 'f')
  expect(problems[0]?.what).toContain('is not of the form ${env:NAME}')
  expect(value).toBe(text)
})

test('of a hundred thousand variables that are missing, a hundred are named', () => {
  expect(fillEnvironment('${env:A}'.repeat(100_000), {}, 'f').problems).toHaveLength(100)
})

test('other dollar signs are left alone', () => {
  expect(fillEnvironment('$HOME ${HOME} $5', { HOME: 'x' }, 'f')).toEqual({ value: '$HOME ${HOME} $5', problems: [] })
})
