import { quoted } from '../../reports/shell.ts'
import type { CertifyOptions } from './options.ts'

/**
 * The command that runs one requirement again exactly as in a run: the same target, binding, seed and profile. What the
 * configuration holds comes from the configuration again. `program`: how to start it.
 */
export function reproduceLine(
  url: string | undefined,
  options: CertifyOptions,
  seed: number,
  program: string,
): (requirement: string) => string {
  const { embedded, config, binding, features, profile, runs, strict, failOn, readOnly, yesModifyTarget } = options
  const words = [
    ...(embedded === true ? ['--embedded'] : []),
    ...(url === undefined ? [] : [quoted(url)]),
    ...(config === undefined ? [] : ['--config', quoted(config)]),
    ...(binding === undefined ? [] : ['--binding', quoted(binding)]),
    ...(features === undefined ? [] : ['--features', ...features.map(quoted)]),
    ...(profile === undefined || profile === 'standard' ? [] : ['--profile', profile]),
    ...(runs === undefined ? [] : ['--runs', runs]),
    ...(strict === true ? ['--strict'] : []),
    ...(failOn === undefined ? [] : ['--fail-on', ...failOn.map(quoted)]),
    ...(readOnly === true ? ['--read-only'] : []),
    ...(yesModifyTarget === true ? ['--yes-modify-target'] : []),
  ]
  return (requirement) => [`${program} certify`, ...words, '--only', requirement, '--seed', seed].join(' ')
}
