import { specifiedOperations } from '../../../schemas/operations.ts'
import type { Case } from '../../kit/case.ts'
import { RawJson } from '../../kit/generate/raw-json.ts'
import { serialise } from '../../kit/generate/serialise.ts'
import { openScene } from '../../kit/scene.ts'
import { createTwins } from '../../kit/twins.ts'

/** What is done to the text of a good body so that it is no longer JSON. */
const SPOILED: readonly (readonly [string, (text: string) => string])[] = [
  ['cut off before its last brace', (text) => text.slice(0, -1)],
  ['a brace too many', (text) => `${text}}`],
  ['single quotes', (text) => text.replaceAll('"', "'")],
  ['a comma before the last brace', (text) => `${text.slice(0, -1)},}`],
  ['no JSON at all', () => 'assay'],
]

const REQUIREMENT = 'REQUEST-BODY-JSON'

/** For each operation with a body: a body that is not JSON is not carried out. */
export const malformedBodyCases: readonly Case[] = specifiedOperations()
  .filter(({ request }) => request !== undefined)
  .map((operation) => ({
    id: `${operation.id}/malformed-body`,
    title: `a body of ${operation.id} that is not JSON is refused`,
    operation: operation.id,
    features: [operation.feature],
    requirements: operation.family === 'v3' ? [REQUIREMENT] : [REQUIREMENT, 'ERROR-BODY-SHAPE'],
    cost: 8,
    async run(context) {
      const scene = await openScene(context, operation.id)
      const twins = createTwins(context, scene)
      await twins.mustAccept()
      for (const [edge, spoil] of SPOILED) {
        await twins.probe({ kind: 'refuse', requirement: REQUIREMENT, pointer: '', edge }, ({ body }) => ({
          body: new RawJson(spoil(serialise(body) ?? '')),
        }))
      }
      await twins.base()
    },
  }))
