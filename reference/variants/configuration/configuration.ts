import { randomUUID } from 'node:crypto'
import { invalid, notFound } from '../../core/refusal.ts'
import { bodyOf, type Call } from '../../core/route.ts'
import { asked, askedBody, demands, named, refused } from '../../faults/core/changes.ts'
import type { Changes } from '../../faults/core/fault.ts'
import { type CodedVariants, everywhere, isFields, shownBy, together } from '../core/variant.ts'

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

/** A preset alert has at least one channel, and is sent to addresses. */
function sentToAddresses(): Changes {
  return demands(PRESETS, (call) => {
    const { channels } = bodyOf<{ channels: { integration?: unknown }[] }>(call)
    if (channels?.some(({ integration }) => integration !== 'email') !== false || channels.length === 0)
      throw invalid('/channels', 'must be a list of addresses')
  })
}

/** A member that was made is listed as invited. Before it accepts it is no active member, so that nobody removes it. */
function invited(): Changes {
  return {
    ...demands('delete-member', (call) => {
      if (named(call, 'member')?.body.role === 'member') throw notFound('the e-mail is not an active member')
    }),
    answer(answer, { method, path }) {
      if (method !== 'GET' || !path.startsWith('/v1/config/members') || answer.status !== 200) return answer
      const withStatus = (member: object): object => ({ ...member, status: 'invited' })
      const { json: told } = answer
      return { ...answer, json: Array.isArray(told) ? told.map(withStatus) : withStatus(told as object) }
    },
  }
}

function hasTwoOfAKind({ body }: Call): boolean {
  const { channels } = body as Fields
  const kinds = Array.isArray(channels) ? channels.map((channel) => channel?.integration) : []
  return new Set(kinds).size < kinds.length
}

/** Channels of one kind become one, and an update adds its channels to those that are there. */
function merged(): Changes {
  return together(
    askedBody('create-preset-alert', (sent) => ({ ...sent, channels: mergedChannels(channelsOf(sent)) })),
    askedBody('update-preset-alert', (sent, call) => {
      const before = channelsOf(named(call, 'preset-alert')?.body)
      return { ...sent, channels: mergedChannels([...before, ...channelsOf(sent)]) }
    }),
  )
}

/** What an update sends is kept in a form of its own. */
function updatesRespelled(): Changes {
  return together(
    askedBody('update-view update-alert update-category update-screen', escaped),
    askedBody('update-member', (sent) => ({ ...sent, role: `${sent.role}-role` })),
  )
}

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

function withNumbers(): Changes {
  return {
    ...ids(counter()),
    answer: (answer, _, operation) =>
      operation !== undefined && SHOWN.test(operation) && answer.json !== undefined
        ? { ...answer, json: numbered(answer.json) }
        : answer,
  }
}

function withWords(): Changes {
  const next = counter()
  return ids(() => `a b%2f/ü ${next()}`)
}

/** UUIDs that count up. */
function ordered(): () => string {
  let last = 0
  return () => {
    last += 1
    return `00000000-0000-7000-8000-${last.toString(16).padStart(12, '0')}`
  }
}

/** Other ways to keep, to show and to refuse what the configuration holds, and ids of other forms. */
export const configurationVariants: CodedVariants = {
  'preset-one-channel': sentToAddresses,
  'member-invited': invited,
  'preset-respelled': shownBy('get-preset-alert list-preset-alerts', respelled),
  'presets-one-channel': () => refused(PRESETS, hasTwoOfAKind),
  'preset-channels-merged': merged,
  'updates-respelled': updatesRespelled,
  'ids-upper-case': { newId: () => () => randomUUID().toUpperCase(), changes: () => ({}) },
  'ids-ordered': { newId: ordered, changes: () => ({}) },
  'ids-digits': () => ids(counter()),
  'ids-numbers': withNumbers,
  'ids-words': withWords,
}
