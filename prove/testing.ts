import type { Selection } from './job.ts'

/** All mutants and all variants, quickly. */
export const EVERYTHING: Selection = {
  mutants: true,
  variants: true,
  only: [],
  sample: undefined,
  seed: 1,
  seeds: 1,
  mutantProfile: 'quick',
  variantProfile: 'quick',
}
