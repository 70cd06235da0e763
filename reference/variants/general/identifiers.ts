import { randomUUID } from 'node:crypto'
import type { Handler } from '../../core/route.ts'
import type { Changes } from '../../faults/core/fault.ts'
import type { Variant } from '../core/variant.ts'

const MAKERS = ['create-screen', 'create-exclusion', 'create-preset-alert']

const SHOWN = /^(create|get|list)-(screens?|exclusions?|preset-alerts?)$/

/** Ids of screens, exclusion rules and preset alerts, whose form the specification does not give. */
function ids(next: () => string): Changes {
  return {
    handlers: Object.fromEntries(
      MAKERS.map((operation) => [
        operation,
        (inner: Handler): Handler =>
          (call) =>
            inner({ ...call, env: { ...call.env, newId: next } }),
      ]),
    ),
  }
}

function counter(): () => string {
  let last = 1_000_000
  return () => {
    last += 1
    return String(last)
  }
}

/** The value with ids that are numbers in text as numbers. */
function numbered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(numbered)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      (name === 'id' || name === 'presetid') && /^\d+$/.test(String(one)) ? Number(one) : one,
    ]),
  )
}

/** Ids of other forms. */
export const identifierVariants: readonly Variant[] = [
  {
    name: 'ids-upper-case',
    about: 'ids are UUIDs in upper case',
    newId: () => () => randomUUID().toUpperCase(),
    changes: () => ({}),
  },
  {
    name: 'ids-ordered',
    about: 'ids are UUIDs that count up',
    newId: () => {
      let last = 0
      return () => {
        last += 1
        return `00000000-0000-7000-8000-${last.toString(16).padStart(12, '0')}`
      }
    },
    changes: () => ({}),
  },
  { name: 'ids-digits', about: 'ids of documents are digits in text', changes: () => ids(counter()) },
  {
    name: 'ids-numbers',
    about: 'ids of documents are numbers',
    changes: () => ({
      ...ids(counter()),
      answer: (answer, _, operation) =>
        operation !== undefined && SHOWN.test(operation) && answer.json !== undefined
          ? { ...answer, json: numbered(answer.json) }
          : answer,
    }),
  },
  {
    name: 'ids-words',
    about: 'ids of documents hold blanks, percent signs and other letters',
    changes: () => {
      const next = counter()
      return ids(() => `a b%2f/ü ${next()}`)
    },
  },
]
