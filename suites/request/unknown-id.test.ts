import { describe, expect, test } from 'vitest'
import { otherId } from './unknown-id.ts'

describe('another id', () => {
  test('has the form of the first', () => {
    expect(otherId('6f9619ff-8b86-4d01-b42d-00cf4fc964ff')).toBe('6f9619ff-8b86-4d01-b42d-00fc7cf297cc')
    expect(otherId('507F1F77BCF86CD799439011')).toMatch(/^507F1F77BCF86C[0-9A-F]{10}$/)
  })
  test('keeps letters that no number has', () => {
    expect(otherId('assay-screen-xyzxyz')).toBe('assay-scrbbn-xyzxyz')
  })
})
