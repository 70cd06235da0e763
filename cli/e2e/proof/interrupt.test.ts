import { test } from '../../testing/world.ts'
import { endsInOrder } from '../testing/interrupted.ts'

test.concurrent.for<[to: string, signal: NodeJS.Signals]>([
  ['SIGINT', 'SIGINT'],
  ['SIGTERM', 'SIGTERM'],
])('%s to assay alone: a report of what was done, exit code 130, and everything removed', ([, signal], { world }) =>
  endsInOrder(world, signal, (pid) => pid),
)
