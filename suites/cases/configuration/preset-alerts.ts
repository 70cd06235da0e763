import { listIn } from '../../../rules/core/reads.ts'
import { isRecord } from '../../../rules/core/request-rules.ts'
import { at } from '../../../schemas/pointer.ts'
import type { Case } from '../../case.ts'
import { HARD } from '../../generate/values/text.ts'
import { openControl } from '../../request/control.ts'
import { readBack, reader } from '../../request/read-back.ts'

/** The same alert with a harder name and one more address, sent at once and not in the end, or the other way round. */
function changed(body: unknown): unknown {
  if (!isRecord(body)) return body
  const { name, channels } = body
  return {
    ...body,
    ...(typeof name === 'string' ? { name: `${name} ${HARD}` } : {}),
    ...(Array.isArray(channels) ? { channels: channels.map(otherChannel) } : {}),
  }
}

function otherChannel(channel: unknown): unknown {
  if (!isRecord(channel)) return channel
  const { emails, immediate, terminal } = channel
  const swapped = typeof immediate === 'boolean' && typeof terminal === 'boolean' && immediate !== terminal
  return {
    ...channel,
    ...(Array.isArray(emails) ? { emails: ['assay-other@example.com', ...emails] } : {}),
    ...(swapped ? { immediate: terminal, terminal: immediate } : {}),
  }
}

/** The same alert with a second channel that differs from the first; undefined: nobody knows how it could. */
function withSecondChannel(body: unknown): unknown {
  const [first] = isRecord(body) && Array.isArray(body.channels) ? body.channels : []
  const second = otherChannel(first)
  if (!isRecord(body) || first === undefined || JSON.stringify(second) === JSON.stringify(first)) return undefined
  return { ...body, channels: [first, second] }
}

export const presetAlertCases: readonly Case[] = [
  {
    id: 'create-preset-alert/two-channels',
    title: 'a preset alert is created once, with each of its channels',
    async run(context) {
      const { control } = await openControl(context)
      await control.mustAccept()
      const { id: placeholder = '', key = 'id', label = '' } = context.binding.resources.get('preset-alert') ?? {}
      let name: unknown
      const { view } = await control.probe({ kind: 'base' }, ({ body }) => {
        name = at(body, `/${label}`)
        return { body: withSecondChannel(body) ?? body }
      })
      // Whether there can be several channels of one kind is not stated.
      if (!view.accepted) return
      const listed = await readBack(context, reader(context, 'preset-alert', 'list'), {}, control.group)
      const found = listIn(listed.view)?.find((element) => element[label] === name)
      if (found?.[key] === undefined) return
      const params = { [placeholder]: String(found[key]) }
      await readBack(context, reader(context, 'preset-alert', 'read'), params, control.group)
    },
  },
  {
    id: 'create-preset-alert/makes',
    title: 'a preset alert that was created is in the list of preset alerts',
    async run(context) {
      const { control } = await openControl(context)
      for (let count = 0; count < 3; count += 1) {
        await control.mustAccept()
        await readBack(context, reader(context, 'preset-alert', 'list'), {}, control.group)
      }
    },
  },
  {
    id: 'update-preset-alert/applies',
    title: 'what an update of a preset alert sends is what a later read shows',
    async run(context) {
      const { good, control } = await openControl(context)
      const { params } = await good.request()
      // What a read shows before is what it has to show afterwards.
      await readBack(context, reader(context, 'preset-alert', 'read'), params, control.group)
      for (let count = 0; count < Math.max(2, Math.ceil(context.runs / 8)); count += 1) {
        await control.mustAccept()
        await readBack(context, reader(context, 'preset-alert', 'read'), params, control.group)
      }
      // What there is more of than the last update sent has to go.
      for (const change of [changed, withSecondChannel, (body: unknown) => body]) {
        await control.probe({ kind: 'base' }, ({ body }) => ({ body: change(body) ?? body }))
        await readBack(context, reader(context, 'preset-alert', 'read'), params, control.group)
      }
    },
  },
  {
    id: 'delete-preset-alert/removes',
    title: 'a preset alert that was deleted is no longer listed',
    operation: 'create-preset-alert',
    async run(context) {
      const made = await context.make('preset-alert')
      await readBack(context, reader(context, 'preset-alert', 'list'), {})
      await context.send({ operation: 'delete-preset-alert', params: made.params, intent: { kind: 'base' } })
      await readBack(context, reader(context, 'preset-alert', 'list'), {})
    },
  },
]
