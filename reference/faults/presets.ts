import { askedBody } from './core/changes.ts'
import type { Fault } from './core/fault.ts'

type Json = Readonly<Record<string, unknown>>

function firstChannel(sent: Json): Json {
  return Array.isArray(sent.channels) ? { ...sent, channels: sent.channels.slice(0, 1) } : sent
}

/** Faults in how many preset alerts and channels there are. */
export const presetFaults: readonly Fault[] = [
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
