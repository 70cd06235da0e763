import { askedBody, notApplied } from '../core/changes.ts'
import type { Fault } from '../core/fault.ts'
import type { Json } from '../core/lines.ts'

function firstChannel(sent: Json): Json {
  return Array.isArray(sent.channels) ? { ...sent, channels: sent.channels.slice(0, 1) } : sent
}

/** Faults in what is stored of preset alerts, and in how many there are. */
export const presetFaults: readonly Fault[] = [
  {
    name: 'preset-create-forgotten',
    about: 'a preset alert that is created is not kept',
    kills: ['PRESET-CREATE-MAKES'],
    changes: notApplied('create-preset-alert'),
  },
  {
    name: 'preset-create-nameless',
    about: 'a preset alert is created without its name',
    kills: ['PRESET-CREATE-MAKES'],
    changes: askedBody('create-preset-alert', ({ name: _, ...sent }) => sent),
  },
  {
    name: 'preset-update-not-applied',
    about: 'an update of a preset alert changes nothing',
    kills: ['PRESET-UPDATE-APPLIES'],
    changes: notApplied('update-preset-alert'),
  },
  {
    name: 'preset-update-no-channels',
    about: 'an update of a preset alert drops its channels',
    kills: ['PRESET-READ'],
    changes: askedBody('update-preset-alert', (sent) => ({ ...sent, channels: [] })),
  },
  {
    name: 'preset-update-hides-channels',
    about: 'a preset alert that was updated is read without its channels',
    kills: ['PRESET-READ'],
    changes: askedBody('update-preset-alert', ({ channels: _, ...sent }) => sent),
  },
  {
    name: 'preset-update-no-headers',
    about: 'an update of a preset alert drops the headers of its channels',
    kills: ['PRESET-READ'],
    changes: askedBody('update-preset-alert', (sent) => ({
      ...sent,
      channels: ((sent.channels ?? []) as object[]).map((channel) => ({ ...channel, headers: undefined })),
    })),
  },
  {
    name: 'preset-update-keeps-more',
    about: 'an update of a preset alert with fewer channels leaves the others as they are',
    kills: ['PRESET-READ'],
    changes: askedBody('update-preset-alert', (sent, { state, params }) => {
      const before = state.presets.get(params.presetId ?? '')?.body.channels
      const [now, kept] = [sent.channels, before].map((list): unknown[] => (Array.isArray(list) ? list : []))
      return { ...sent, channels: [...(now ?? []), ...(kept ?? []).slice((now ?? []).length)] }
    }),
  },
  {
    name: 'preset-update-adds-channels',
    about: 'an update of a preset alert adds its channels to those that are there',
    kills: ['PRESET-READ'],
    changes: askedBody('update-preset-alert', (sent, { state, params }) => {
      const before = state.presets.get(params.presetId ?? '')?.body.channels
      return { ...sent, channels: [...(Array.isArray(before) ? before : []), ...(sent.channels as object[])] }
    }),
  },
  {
    name: 'preset-delete-not-applied',
    about: 'a deleted preset alert stays',
    kills: ['PRESET-DELETE-REMOVES'],
    changes: notApplied('delete-preset-alert'),
  },
  {
    name: 'preset-create-first-channel',
    about: 'of the channels of a new preset alert the first one is stored',
    kills: ['PRESET-READ'],
    changes: askedBody('create-preset-alert', firstChannel),
  },
  {
    name: 'preset-update-first-channel',
    about: 'of the channels that an update of a preset alert sends the first one is stored',
    kills: ['PRESET-READ'],
    changes: askedBody('update-preset-alert', firstChannel),
  },
  {
    name: 'preset-create-no-channels',
    about: 'a new preset alert has no channels until it is updated',
    kills: ['PRESET-READ'],
    changes: askedBody('create-preset-alert', (sent) => ({ ...sent, channels: [] })),
  },
  {
    name: 'preset-create-twice',
    about: 'one creation makes two preset alerts',
    kills: ['PRESET-CREATE-MAKES'],
    changes: {
      handlers: {
        'create-preset-alert': (inner) => (call) => {
          inner(call)
          return inner(call)
        },
      },
    },
  },
]
