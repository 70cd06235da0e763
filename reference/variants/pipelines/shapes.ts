import { type BindingFile, shippedBinding } from '../../../schemas/binding.ts'
import type { BoundOperation } from '../../../schemas/types/binding.ts'
import { type Answer, ok } from '../../core/message.ts'
import type { Changes } from '../../faults/core/fault.ts'
import type { Variant } from '../core/variant.ts'

type Change = (answer: Answer) => Answer

/** Changes the good answers of pipeline operations, whose bodies the specification does not show. */
function shaped(change: Change, applies: (operation: string, method: string) => boolean = () => true): () => Changes {
  return () => ({
    answer: (answer, { path, method }, operation) =>
      path.startsWith('/v3/') && answer.status < 300 && operation !== undefined && applies(operation, method)
        ? change(answer)
        : answer,
  })
}

/** The binding of the reference with other pointers into the answers of pipeline operations. */
function pointing(name: string, move: (pointer: string) => string): () => BindingFile {
  return () => {
    const operations: Record<string, BoundOperation> = {}
    for (const file of [shippedBinding('default'), shippedBinding('reference')]) {
      for (const [id, { answer }] of Object.entries(file.operations ?? {})) {
        for (const [what, pointer] of Object.entries(answer ?? {})) {
          if (pointer === null || !/^\/data(\/|$)/.test(pointer)) continue
          operations[id] = { answer: { ...operations[id]?.answer, [what]: move(pointer) } }
        }
      }
    }
    const events = { events: move('/data/events') }
    return { formatVersion: 1, name, operations, answers: { 'GAP-TAP-ANSWER': events } }
  }
}

const SILENT = new Set([
  'update-transform',
  'update-source',
  'switch-group-revision',
  'update-gateway-route',
  'add-signing-key',
  'update-state-variables',
  'update-processing-status',
])

/** Other shapes of the answers of pipeline operations. */
export const pipelineShapeVariants: readonly Variant[] = [
  {
    name: 'v3-bare',
    about: 'pipeline operations answer with records that are not wrapped',
    changes: shaped((answer) => ({ ...answer, json: (answer.json as { data: unknown }).data })),
    binding: pointing('v3-bare', (pointer) => pointer.replace('/data', '')),
  },
  {
    name: 'v3-deeper',
    about: 'pipeline operations wrap their records twice',
    changes: shaped((answer) => ({ ...answer, json: { result: [answer.json] } })),
    binding: pointing('v3-deeper', (pointer) => `/result/0${pointer}`),
  },
  {
    name: 'v3-updates-empty',
    about: 'updates of what stands in pipelines are answered without a body',
    changes: shaped(
      ({ json: _, ...answer }) => answer,
      (operation) => SILENT.has(operation),
    ),
  },
  {
    name: 'v3-updates-true',
    about: 'updates of what stands in pipelines are answered with true',
    changes: shaped(
      () => ok(true),
      (operation) => SILENT.has(operation),
    ),
  },
  {
    name: 'v3-deletions-204',
    about: 'deletions of what stands in pipelines are answered with 204',
    changes: shaped(
      () => ({ status: 204 }),
      (_, method) => method === 'DELETE',
    ),
  },
]
