import { existsSync, readFileSync } from 'node:fs'

/** Name and version of this package, from its package.json, which stands above the source or above the compiled code. */
export function packageInfo(): { readonly name: string; readonly version: string } {
  const beside = new URL('../package.json', import.meta.url)
  const file = existsSync(beside) ? beside : new URL('../../package.json', import.meta.url)
  const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as { name: string; version: string }
  return { name, version }
}
