import { describe, expect, test } from 'vitest'
import { createDependencies } from '../../fixtures/replay/plan/dependencies.ts'
import type { Step } from '../../fixtures/replay/plan/doubts.ts'
import { exchange, referenceBinding } from '../../rules/testing.ts'
import type { Consent } from '../../schemas/types/config.ts'
import { type Made, refusal as refused, requireReplayConsent } from './consent.ts'

const ID = '11111111-1111-4111-8111-111111111111'
const touch = createDependencies(referenceBinding(), '')

function step(line: string, status = 200): Step {
  const recorded = exchange(line, { status })
  return { exchange: recorded, dependencies: touch(recorded), number: 1 }
}

/** Of a request that is sent as it was recorded. */
function refusal(step: Step, made: Made, consent: Consent, owners?: ReadonlySet<string>): string | undefined {
  const { request } = step.exchange
  const sent = { method: request.method, path: step.dependencies.path, body: undefined }
  return refused(step, sent, made, consent, owners)
}

const nothing = (): boolean => false

describe('what a replay may do to a target', () => {
  test.each([
    ['POST /v1/config/ingestion/exclusions', 'exclusions'],
    ['POST /v1/config/ingestion/suspend', 'suspend'],
    ['POST /v1/config/archiving', 'archiving'],
    [`DELETE /v1/config/screen/${ID}`, 'deleteListedResources'],
    // known by no binding
    ['POST /elsewhere/ingestion/suspend', 'suspend'],
    ['POST /elsewhere/Ingestion/Resume', 'suspend'],
    ['PUT /elsewhere/archive', 'archiving'],
    ['POST /elsewhere/exclusions', 'exclusions'],
  ])('%s needs its own consent', (line, name) => {
    expect(refusal(step(line), nothing, {})).toContain(`consent.${name}`)
    expect(refusal(step(line), nothing, { [name]: true })).toBeUndefined()
  })

  test('the owner is tried only where the account is said to be disposable', () => {
    const owners = new Set(['owner@example.com'])
    for (const status of [409, 200, 404]) {
      for (const name of ['owner%40example.com', 'OWNER%40EXAMPLE.COM']) {
        const owner = step(`DELETE /v1/config/members/${name}`, status)
        expect(refusal(owner, () => true, {}, owners)).toContain('allowOwnerDeletion')
        expect(refusal(owner, nothing, { allowOwnerDeletion: true }, owners)).toBeUndefined()
      }
    }
    const member = step('DELETE /v1/config/members/member%40example.com', 409)
    expect(refusal(member, nothing, { allowOwnerDeletion: true }, owners)).toContain('deleteListedResources')
  })

  test('consent is needed whatever the recorded answer was', () => {
    for (const status of [200, 400, 401, 404, 409, 422, 500]) {
      for (const path of [`/v1/config/screen/${ID}`, '/v1/config/members/member%40example.com']) {
        expect(refusal(step(`DELETE ${path}`, status), nothing, {})).toContain('deleteListedResources')
        expect(refusal(step(`DELETE ${path}`, status), nothing, { deleteListedResources: true })).toBeUndefined()
      }
    }
  })

  test('what the replay made may be removed', () => {
    expect(refusal(step(`DELETE /v1/config/screen/${ID}`), (path) => path.endsWith(ID), {})).toBeUndefined()
    const archiving = step('DELETE /v1/config/archiving')
    const consent = { archiving: true }
    expect(refusal(archiving, nothing, consent)).toContain('deleteListedResources')
    expect(refusal(archiving, (value) => value === '/v1/config/archiving', consent)).toBeUndefined()
  })

  test('reads need none', () => {
    expect(refusal(step('GET /v1/config/archiving'), nothing, {})).toBeUndefined()
  })

  test('the refusal to begin says what would be sent', () => {
    const scan = { changing: new Map([['create-view', 3]]) } as never
    expect(() => requireReplayConsent(scan, false, 'http://target.example.com')).toThrow(/3 create-view/)
    expect(() => requireReplayConsent(scan, true, 'http://target.example.com')).not.toThrow()
    expect(() => requireReplayConsent({ changing: new Map() } as never, false, '')).not.toThrow()
  })
})
