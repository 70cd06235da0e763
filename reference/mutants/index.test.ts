import { describe, expect, test } from 'vitest'
import { ledger } from '../../schemas/ledger.ts'
import { createApp } from '../app.ts'
import { allMutants, mutantOverlay } from './index.ts'
import { overlayOf } from './mutant.ts'

const mutants = allMutants()

describe('mutants', () => {
  test('names are unique and can be typed', () => {
    expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length)
    for (const { name } of mutants) expect(name).toMatch(/^[a-z0-9][a-z0-9:/.+*=_-]*$/)
  })

  test('each names the requirements that it breaks, none of which is open', () => {
    for (const { name, kills } of mutants) {
      expect([name, kills.length > 0]).toEqual([name, true])
      const levels = kills.map((id) => ledger().get(id)?.level ?? `there is no ${id}`)
      expect([name, levels.filter((level) => !['stated', 'implied', 'declared'].includes(level))]).toEqual([name, []])
    }
  })

  test('each can be laid over the reference', () => {
    for (const mutant of mutants) {
      expect(() => createApp({ now: Date.now, newId: () => 'id', overlays: [overlayOf(mutant)] })).not.toThrow()
    }
  })

  test('one is found by its name, and an unknown name is refused', () => {
    expect(mutantOverlay('node-title-513').name).toBe('node-title-513')
    expect(() => mutantOverlay('node-title')).toThrow('there is no mutant node-title')
  })
})
