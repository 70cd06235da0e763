import { describe, expect, test } from 'vitest'
import { constraintsOf } from '../../schemas/constraints.ts'
import { ledger } from '../../schemas/ledger.ts'
import { loadResourceSchemas } from '../../schemas/load.ts'
import { createResolver } from '../../schemas/walk.ts'
import { overlayRoutes } from '../core/overlay.ts'
import { withShapes } from '../core/shapes.ts'
import { routes } from '../routes.ts'
import { createHarness } from '../testing/harness.ts'
import { overlayOf } from './core/fault.ts'
import { allFaults, derivedFaults, equivalentFaults, faultOverlay } from './index.ts'

const faults = allFaults()

describe('faults', () => {
  test('names are unique and can be typed', () => {
    expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length)
    for (const { name } of faults) expect(name).toMatch(/^[a-z0-9][A-Za-z0-9:/.*_-]*$/)
  })

  test('each names the requirements that it breaks, none of which is open', () => {
    for (const { name, kills } of faults) {
      expect([name, kills.length > 0]).toEqual([name, true])
      const levels = kills.map((id) => ledger().get(id)?.level ?? `there is no ${id}`)
      expect([name, levels.filter((level) => !['stated', 'implied', 'declared'].includes(level))]).toEqual([name, []])
    }
  })

  test('each names operations and rules that there are', () => {
    const schemas = withShapes(loadResourceSchemas())
    for (const fault of faults) {
      const overlay = overlayOf(fault)
      expect(overlayRoutes(routes, overlay)).toHaveLength(routes.length)
      expect(overlay.schemas?.(schemas).size ?? schemas.size).toBe(schemas.size)
    }
  })

  test('one is found by its name, and an unknown name is refused', () => {
    expect(faultOverlay('v3-open').name).toBe('v3-open')
    expect(() => faultOverlay('v3')).toThrow('there is no fault v3')
  })
})

describe('faults that are made by rule', () => {
  const derived = derivedFaults()
  const names = new Set(derived.map(({ name }) => name))

  test('every constraint on requests and answers that is judged has some', () => {
    const cited = new Set(derived.flatMap(({ kills }) => kills))
    const schemas = loadResourceSchemas()
    const files = [
      'transform-update',
      'source-update',
      'group-from-pipeline',
      'tap-request',
      'preset-alert',
      'keys',
      'error',
    ]
    for (const file of files) {
      const schema = schemas.get(file)
      const constraints = schema ? constraintsOf(schema, createResolver(schemas)) : []
      expect([file, constraints.length > 0]).toEqual([file, true])
      const bare = constraints.flatMap(({ requirement }) =>
        requirement === undefined || cited.has(requirement) ? [] : [requirement],
      )
      expect([file, bare]).toEqual([file, []])
    }
  })

  test('a bound is moved by one to either side and dropped, a pattern loses each forbidden character', () => {
    for (const suffix of [
      'maxLength-513',
      'maxLength-511',
      'no-maxLength',
      'minLength-2',
      'no-minLength',
      'pattern-takes-less-than',
      'pattern-takes-greater-than',
      'pattern-takes-quote',
      'pattern-refuses-ampersand',
      'type-or-null',
    ]) {
      expect(names).toContain(`node/title/${suffix}`)
    }
    expect(names).toContain('tap-request/limit/maximum-101')
    expect(names).toContain('node/transform_kind/enum-without-vrl')
    expect(names).toContain('group-from-pipeline/pipeline_transform_ids/no-minItems')
    expect(names).toContain('delete-member/owner/code-conflict')
    expect(names).toContain('list-enterprise-keys/0/name/length-31')
  })

  test('a loosened rule lets its value through and carries the rest out', () => {
    const app = createHarness({ overlays: [faultOverlay('node/title/type-or-number')] })
    const pipeline = app.make('/v3/pipeline', { title: 'one' })
    const transform = app.make(`/v3/pipeline/${pipeline}/transform`, { type: 'sample', title: 'two' })
    const path = `/v3/pipeline/${pipeline}/transform/${transform}`
    expect(app.send('PUT', path, { body: { title: 7, description: 'three' } }).status).toBe(200)
    expect(app.done('GET', path).at('/data/description')).toBe('three')
    expect(app.send('PUT', path, { body: { title: true } }).status).toBe(400)
  })

  test('what no client can tell apart is listed with its reason, and not among the faults', () => {
    const equivalents = equivalentFaults()
    expect(equivalents.map(({ name }) => name)).toContain('parameters/component_id/no-pattern')
    for (const { name, reason } of equivalents) expect([names.has(name), reason.length > 20]).toEqual([false, true])
  })
})
