import { configurationVariants } from './configuration/configuration.ts'
import { type CodedVariants, type Variant, variantsIn } from './core/variant.ts'
import { exportVariants } from './exports/exports.ts'
import { otherAnswers } from './general/answers.ts'
import { behaviourVariants } from './general/behaviour.ts'
import { guardVariants } from './general/guards.ts'
import { shapeVariants } from './general/shapes.ts'
import { ingestionVariants } from './ingestion/ingestion.ts'
import { pipelineDemandVariants } from './pipelines/demands.ts'
import { pipelineKeptVariants } from './pipelines/kept.ts'
import { usageVariants } from './usage/usage.ts'

/** topic -> the changes of its rows that are code */
const TOPICS: Readonly<Record<string, CodedVariants>> = {
  general: { ...otherAnswers, ...shapeVariants, ...behaviourVariants, ...guardVariants },
  configuration: configurationVariants,
  ingestion: ingestionVariants,
  exports: exportVariants,
  usage: usageVariants,
  pipelines: { ...pipelineDemandVariants, ...pipelineKeptVariants },
}

/** Every other behaviour of the reference that the specification allows. */
export const allVariants: readonly Variant[] = [
  { name: 'unchanged', about: 'the reference as it is', changes: () => ({}) },
  ...Object.entries(TOPICS).flatMap(([topic, coded]) =>
    variantsIn(new URL(`./${topic}/rows.json`, import.meta.url), coded),
  ),
]
