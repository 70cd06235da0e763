// Other versions of Node, from the package `node` of the registry.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

/** Majors that have to do. */
export const MAJORS = ['20', '22', '24', '26']

/** Folder of the executable of one major; installed where it is not there yet (about 200 MB each). */
export function nodeFolder(major) {
  if (process.versions.node.split('.')[0] === major) return dirname(process.execPath)
  const home = join(tmpdir(), `assay-node-${major}`)
  const bin = join(home, 'node_modules', 'node', 'bin')
  if (!existsSync(join(bin, 'node'))) {
    mkdirSync(home, { recursive: true })
    writeFileSync(join(home, 'package.json'), '{ "private": true }\n')
    execFileSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', `node@${major}`], {
      cwd: home,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }
  return bin
}

/** The environment in which `node`, and what npm starts, are of that folder. */
export function environmentOf(folder, more = {}) {
  return { ...process.env, ...more, PATH: `${folder}${delimiter}${process.env.PATH}` }
}

/** What `node --version` says there. */
export function versionIn(folder) {
  return execFileSync(join(folder, 'node'), ['--version'], { encoding: 'utf8' }).trim()
}

/** The majors that an option names, separated by commas. Ends the process where one is none. */
export function majorsOf(option) {
  const majors = option.split(',')
  const strange = majors.find((major) => !/^\d+$/.test(major))
  if (strange !== undefined) {
    console.error(`error: --node takes majors such as 20,22; "${strange}" is none`)
    process.exit(2)
  }
  return majors
}
