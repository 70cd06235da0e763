import { empty } from '../core/message.ts'
import { family, type Handler, type Route } from '../core/route.ts'
import { documentHandlers } from './documents.ts'

const presets = documentHandlers({
  word: 'preset alert',
  placeholder: 'presetId',
  idField: 'presetid',
  of: (state) => state.presets,
})

/** Create and update answer 200 without a body; what they made is found in the list. */
function silent(handler: Handler): Handler {
  return (call) => {
    handler(call)
    return empty()
  }
}

const v1 = family('v1', 'v1')
const one = '/v1/config/presetalert/{presetId}'

export const presetRoutes: readonly Route[] = [
  v1('create-preset-alert', 'POST', '/v1/config/presetalert', silent(presets.create), 'preset-alert'),
  v1('list-preset-alerts', 'GET', '/v1/config/presetalert', presets.list),
  v1('get-preset-alert', 'GET', one, presets.get),
  v1('update-preset-alert', 'PUT', one, silent(presets.update), 'preset-alert'),
  v1('delete-preset-alert', 'DELETE', one, presets.remove),
]
