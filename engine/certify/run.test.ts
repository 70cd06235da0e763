import { expect, test } from 'vitest'
import { type InForce, shownConfiguration } from './run.ts'

const SECRET = 'hunter2-of-all-secrets'

const IN_FORCE: InForce = {
  config: {
    baseUrl: `http://${SECRET}:${SECRET}@target.example.com/base`,
    name: 'mine',
    credentials: { accessToken: SECRET, iam: { token: SECRET, cloudResourceName: SECRET } },
    headers: { 'x-tenant': SECRET },
    tls: { ca: './ca.pem', insecure: true },
    proxy: `http://me:${SECRET}@proxy.example.com:3128`,
    features: ['pipelines', 'boards'],
    consent: { modifyTarget: true },
    rate: 5,
  },
  baseUrl: `http://${SECRET}:${SECRET}@target.example.com/base`,
  concurrency: 16,
  timeout: 30_000,
  maxIngest: 100_000,
  runs: undefined,
  bail: false,
}

test('everything that was in force is there by its path, and no secret', () => {
  const shown = shownConfiguration(IN_FORCE)
  expect(shown).toEqual({
    baseUrl: 'http://target.example.com/base',
    name: 'mine',
    'tls.ca': './ca.pem',
    'tls.insecure': 'true',
    features: 'pipelines, boards',
    'consent.modifyTarget': 'true',
    rate: '5',
    proxy: 'http://proxy.example.com:3128',
    concurrency: '16',
    timeout: '30000',
    maxIngest: '100000',
    'credentials.accessToken': '(given)',
    'credentials.iam.token': '(given)',
    'credentials.iam.cloudResourceName': '(given)',
    'headers.x-tenant': '(given)',
  })
  expect(JSON.stringify(shown)).not.toContain(SECRET)
})

test('options of the command line are there too', () => {
  expect(shownConfiguration({ ...IN_FORCE, runs: 200, bail: true })).toMatchObject({ runs: '200', bail: 'true' })
})
