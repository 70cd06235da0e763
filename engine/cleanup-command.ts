import { quoted } from '../reports/shell.ts'

/** What a run was told about its target, as far as it has to be told again. */
export interface CleanupGiven {
  readonly config?: string | undefined
  /** base URL; undefined: the configuration names it */
  readonly target?: string | undefined
  readonly binding?: string | undefined
}

/** The command that removes what a journal names from the target that the run was given. */
export function cleanupCommand(program: string, journal: string, { config, target, binding }: CleanupGiven): string {
  return [
    `${program} cleanup ${quoted(journal)}`,
    ...(config === undefined ? [] : [`--config ${quoted(config)}`]),
    ...(target === undefined ? [] : [`--target ${quoted(target)}`]),
    ...(binding === undefined ? [] : [`--binding ${quoted(binding)}`]),
  ].join(' ')
}
