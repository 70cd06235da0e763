import { randomUUID } from 'node:crypto'
import { invalid, notFound } from '../../core/refusal.ts'
import { bodyOf, type Handler } from '../../core/route.ts'
import { askedBody, named } from '../../faults/core/changes.ts'
import type { Changes } from '../../faults/core/fault.ts'
import { demands, isFields, refusing, shownBy, together, without } from '../core/changes.ts'
import type { Variant } from '../core/variant.ts'

const MINUTES = /^(\d+)m$/

/** Channels as a target of its own mind keeps them. */
function respelled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(respelled)
  if (!isFields(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) => {
      if (name === 'headers' && isFields(child)) {
        return [name, Object.fromEntries(Object.entries(child).map(([field, text]) => [field.toUpperCase(), text]))]
      }
      if (name === 'triggerlimit') return [name, Number(child)]
      if (name === 'triggerinterval') return [name, String(child).replace(MINUTES, (_, count) => String(count * 60))]
      if (name === 'operator') return [name, String(child).toUpperCase()]
      return [name, respelled(child)]
    }),
  )
}

type Fields = Readonly<Record<string, unknown>>

/** Texts, at whatever depth, as a target keeps them that shows them on pages. */
function escaped(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('&', '&amp;').replaceAll("'", '&#39;').replaceAll(':', '=')
  if (Array.isArray(value)) return value.map(escaped)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, escaped(child)]))
}

function channelsOf(body: Fields | undefined): readonly Fields[] {
  return Array.isArray(body?.channels) ? body.channels : []
}

/** Channels of one kind become one. */
function mergedChannels(channels: readonly Fields[]): readonly Fields[] {
  const byKind = new Map<unknown, Fields>()
  for (const channel of channels) {
    byKind.set(channel.integration, { ...byKind.get(channel.integration), ...channel, immediate: true })
  }
  return [...byKind.values()]
}

/** Other ways to keep, to show and to refuse what the configuration holds. */
export const configurationVariants: readonly Variant[] = [
  {
    name: 'preset-one-channel',
    about: 'a preset alert has at least one channel, and is sent to addresses',
    changes: () => ({
      handlers: Object.fromEntries(
        ['create-preset-alert', 'update-preset-alert'].map((operation) => [
          operation,
          (inner) => (call) => {
            const { channels } = bodyOf<{ channels: { integration?: unknown }[] }>(call)
            if (channels?.some(({ integration }) => integration !== 'email') !== false || channels.length === 0)
              throw invalid('/channels', 'must be a list of addresses')
            return inner(call)
          },
        ]),
      ),
    }),
  },
  {
    name: 'member-invited',
    about: 'a member that was made is invited and listed, and is no active member before it accepts',
    changes: () => ({
      ...demands('delete-member', (call) => {
        if (named(call, 'member')?.body.role === 'member') throw notFound('the e-mail is not an active member')
      }),
      answer(answer, { method, path }) {
        if (method !== 'GET' || !path.startsWith('/v1/config/members') || answer.status !== 200) return answer
        const withStatus = (member: object): object => ({ ...member, status: 'invited' })
        const { json: told } = answer
        return { ...answer, json: Array.isArray(told) ? told.map(withStatus) : withStatus(told as object) }
      },
    }),
  },
  {
    name: 'preset-respelled',
    about: 'preset alerts are shown with numbers, units, capitals and names of header fields as the target keeps them',
    changes: shownBy(['get-preset-alert', 'list-preset-alerts'], respelled),
  },
  {
    name: 'presets-one-channel',
    about: 'a preset alert has one channel of a kind at most',
    changes: () =>
      refusing(['create-preset-alert', 'update-preset-alert'], ({ channels }) => {
        const kinds = Array.isArray(channels) ? channels.map((channel) => channel?.integration) : []
        return new Set(kinds).size < kinds.length
      }),
  },
  {
    name: 'preset-channels-merged',
    binding: without('preset-channels-merged', { 'preset-alert': ['channels'] }),
    about: 'channels of one kind become one, and an update adds its channels to those that are there',
    changes: () =>
      together(
        askedBody('create-preset-alert', (sent) => ({ ...sent, channels: mergedChannels(channelsOf(sent)) })),
        askedBody('update-preset-alert', (sent, call) => {
          const before = channelsOf(named(call, 'preset-alert')?.body)
          return { ...sent, channels: mergedChannels([...before, ...channelsOf(sent)]) }
        }),
      ),
  },
  {
    name: 'updates-respelled',
    binding: without('updates-respelled', {
      view: ['name', 'query', 'hosts', 'apps', 'tags'],
      alert: ['name', 'channels'],
      category: ['name'],
      screen: ['title'],
      member: ['role'],
    }),
    about: 'what an update sends is kept in a form of its own',
    changes: () =>
      together(
        ...['view', 'alert', 'category', 'screen'].map((word) => askedBody(`update-${word}`, (sent) => escaped(sent))),
        askedBody('update-member', (sent) => ({ ...sent, role: `${sent.role}-role` })),
      ),
  },
]

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
