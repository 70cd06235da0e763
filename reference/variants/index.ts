import { configurationVariants, identifierVariants } from './configuration/configuration.ts'
import { type Variant, variantsIn } from './core/variant.ts'
import { exportVariants } from './exports/exports.ts'
import { answerVariants, errorVariants } from './general/answers.ts'
import { behaviourVariants } from './general/behaviour.ts'
import { guardVariants } from './general/guards.ts'
import { shapeVariants } from './general/shapes.ts'
import { ingestionVariants } from './ingestion/ingestion.ts'
import { pipelineDemandVariants } from './pipelines/demands.ts'
import { pipelineKeptVariants, pipelineShapeVariants } from './pipelines/kept.ts'
import { usageVariants } from './usage/usage.ts'

/** Every other behaviour of the reference that the specification allows. */
export const allVariants: readonly Variant[] = [
  { name: 'unchanged', about: 'the reference as it is', changes: () => ({}) },
  ...answerVariants,
  ...shapeVariants,
  ...behaviourVariants,
  ...errorVariants,
  ...guardVariants,
  ...identifierVariants,
  ...configurationVariants,
  ...ingestionVariants,
  ...exportVariants,
  ...usageVariants,
  ...pipelineDemandVariants,
  ...pipelineKeptVariants,
  ...pipelineShapeVariants,
  ...['general', 'configuration', 'ingestion', 'exports', 'pipelines'].flatMap((topic) =>
    variantsIn(new URL(`./${topic}/rows.json`, import.meta.url)),
  ),
]
