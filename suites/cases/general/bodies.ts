import { type CaseIntent, probes } from '../../../schemas/intents.ts'
import { specifiedOperations } from '../../../schemas/operations.ts'
import type { Case } from '../../case.ts'
import { RawJson, serialise } from '../../generate/body.ts'
import { openControl } from '../../request/control.ts'
import { openGoodRequest } from '../../request/good-request.ts'

/** What is done to the text of a good body so that it is no longer JSON. */
const SPOILED: readonly (readonly [string, (text: string) => string])[] = [
  ['cut off before its last brace', (text) => text.slice(0, -1)],
  ['a brace too many', (text) => `${text}}`],
  ['single quotes', (text) => text.replaceAll('"', "'")],
  ['a comma before the last brace', (text) => `${text.slice(0, -1)},}`],
  ['no JSON at all', () => 'assay'],
]

const IS_JSON = 'REQUEST-BODY-JSON'

/** For each operation with a body: a body that is not JSON is not carried out. */
export const malformedBodyCases: readonly Case[] = specifiedOperations()
  .filter(({ request }) => request !== undefined)
  .map((operation) => ({
    id: `${operation.id}/malformed-body`,
    title: `a body of ${operation.id} that is not JSON is refused`,
    operation: operation.id,
    features: [operation.feature],
    requirements: operation.family === 'v3' ? [IS_JSON] : [IS_JSON, 'ERROR-BODY-SHAPE'],
    cost: 8,
    async run(context) {
      const { control } = await openControl(context, operation.id)
      await control.mustAccept()
      for (const [edge, spoil] of SPOILED) {
        await control.probe({ kind: 'refuse', requirement: IS_JSON, pointer: '', edge }, ({ body }) => ({
          body: new RawJson(spoil(serialise(body) ?? '')),
        }))
      }
      await control.base()
    },
  }))

const CONTENT_TYPE = 'REQUEST-CONTENT-TYPE'

/** Other content types of a body that is JSON all the same; null: none. */
const OTHERS = ['application/json; charset=utf-8', 'text/plain', null] as const

/** For each operation with a body: it is not refused because it comes as application/json. */
export const contentTypeCases: readonly Case[] = specifiedOperations()
  .filter(({ request }) => request !== undefined)
  .map((operation) => ({
    id: `${operation.id}/content-type`,
    title: `a body of ${operation.id} may come as application/json`,
    operation: operation.id,
    features: [operation.feature],
    requirements: [CONTENT_TYPE],
    cost: 6,
    async run(context) {
      const good = await openGoodRequest(context, operation.id)
      const about = { requirement: CONTENT_TYPE, group: context.group() }
      const send = async (contentType: string | null, intent: CaseIntent): Promise<boolean> => {
        const sent = await context.send({ ...(await good.request()), contentType, intent })
        good.learn(sent)
        return sent.view.accepted
      }
      const base: CaseIntent = { kind: 'base', ...about, edge: 'application/json', data: { form: true } }
      // A first refusal may be one of the moment, or of what the switch is on already.
      if ((await send('application/json', base)) || (await send('application/json', base))) return
      for (const other of OTHERS) {
        await send(other, { kind: 'observe', ...about, probe: probes.otherForm, edge: other ?? 'none' })
      }
      await send('application/json', base)
    },
  }))
