import { randomUUID } from 'node:crypto'
import { invalid, notFound } from '../../core/refusal.ts'
import { bodyOf } from '../../core/route.ts'
import { asked, askedBody, demands, named, refused } from '../../faults/core/changes.ts'
import type { Changes } from '../../faults/core/fault.ts'
import { everywhere, isFields, shownBy, together, type Variant, variant, without } from '../core/variant.ts'

const MINUTES = /^(\d+)m$/

/** Channels as a target of its own mind keeps them. */
const respelled = (value: unknown): unknown =>
  everywhere(value, (object) =>
    Object.fromEntries(
      Object.entries(object).map(([name, child]) => {
        if (name === 'headers' && isFields(child))
          return [name, Object.fromEntries(Object.entries(child).map(([field, text]) => [field.toUpperCase(), text]))]
        if (name === 'triggerlimit') return [name, Number(child)]
        if (name === 'triggerinterval') return [name, String(child).replace(MINUTES, (_, count) => String(count * 60))]
        return [name, name === 'operator' ? String(child).toUpperCase() : child]
      }),
    ),
  )

type Fields = Readonly<Record<string, unknown>>

/** Texts, at whatever depth, as a target keeps them that shows them on pages. */
function escaped(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, one) =>
    typeof one === 'string' ? one.replaceAll('&', '&amp;').replaceAll("'", '&#39;').replaceAll(':', '=') : one,
  )
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

const PRESETS = 'create-preset-alert update-preset-alert'

/** Other ways to keep, to show and to refuse what the configuration holds. */
export const configurationVariants: readonly Variant[] = [
  variant('preset-one-channel', 'a preset alert has at least one channel, and is sent to addresses', () =>
    demands(PRESETS, (call) => {
      const { channels } = bodyOf<{ channels: { integration?: unknown }[] }>(call)
      if (channels?.some(({ integration }) => integration !== 'email') !== false || channels.length === 0)
        throw invalid('/channels', 'must be a list of addresses')
    }),
  ),
  variant(
    'member-invited',
    'a member that was made is invited and listed, and is no active member before it accepts',
    () => ({
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
  ),
  variant(
    'preset-respelled',
    'preset alerts are shown with numbers, units, capitals and names of header fields as the target keeps them',
    shownBy('get-preset-alert list-preset-alerts', respelled),
  ),
  variant('presets-one-channel', 'a preset alert has one channel of a kind at most', () =>
    refused(PRESETS, ({ body }) => {
      const { channels } = body as Fields
      const kinds = Array.isArray(channels) ? channels.map((channel) => channel?.integration) : []
      return new Set(kinds).size < kinds.length
    }),
  ),
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

const SHOWN = /^(create|get|list)-(screens?|exclusions?|preset-alerts?)$/

/** Ids of screens, exclusion rules and preset alerts, whose form the specification does not give. */
function ids(next: () => string): Changes {
  const makers = 'create-screen create-exclusion create-preset-alert'
  return asked(makers, (call) => ({ ...call, env: { ...call.env, newId: next } }))
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
  return JSON.parse(JSON.stringify(value), (name, one) =>
    (name === 'id' || name === 'presetid') && /^\d+$/.test(String(one)) ? Number(one) : one,
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
  variant('ids-digits', 'ids of documents are digits in text', () => ids(counter())),
  variant('ids-numbers', 'ids of documents are numbers', () => ({
    ...ids(counter()),
    answer: (answer, _, operation) =>
      operation !== undefined && SHOWN.test(operation) && answer.json !== undefined
        ? { ...answer, json: numbered(answer.json) }
        : answer,
  })),
  variant('ids-words', 'ids of documents hold blanks, percent signs and other letters', () => {
    const next = counter()
    return ids(() => `a b%2f/ü ${next()}`)
  }),
]
