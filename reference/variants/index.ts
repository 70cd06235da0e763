import { answerVariants } from './answers.ts'
import { behaviourVariants } from './behaviour.ts'
import { demandingVariants } from './demanding.ts'
import { errorVariants } from './errors.ts'
import { exportVariants } from './exports.ts'
import { identifierVariants } from './identifiers.ts'
import { libertyVariants } from './liberties.ts'
import { refusingVariants } from './refusing.ts'
import { shapeVariants } from './shapes.ts'
import { silenceVariants } from './silences.ts'
import { storedVariants } from './stored.ts'
import { unpromisedVariants } from './unpromised.ts'
import type { Variant } from './variant.ts'

/** Every other behaviour of the reference that the specification allows. */
export const allVariants: readonly Variant[] = [
  { name: 'unchanged', about: 'the reference as it is', changes: () => ({}) },
  ...answerVariants,
  ...errorVariants,
  ...behaviourVariants,
  ...demandingVariants,
  ...exportVariants,
  ...identifierVariants,
  ...libertyVariants,
  ...refusingVariants,
  ...shapeVariants,
  ...silenceVariants,
  ...storedVariants,
  ...unpromisedVariants,
]
