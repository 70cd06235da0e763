import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe } from 'vitest'
import { configOf, type Served, test, type World } from '../../testing/world.ts'
import { account } from '../testing/account.ts'
import { errorLines, filesIn } from '../testing/expectations.ts'
import { isGroupAlive } from '../testing/groups.ts'
import { journalIn } from '../testing/journals.ts'

const ONLY = ['--profile', 'quick', '--only', 'NODE-TITLE-MAX', 'SCREEN-DELETE-REMOVES']
/** Milliseconds for which what serves goes on once it is ready. */
const SERVING_MS = 300
const MOMENTS = 8
const LONGEST_MS = 900_000

interface Verb {
  readonly args: readonly string[]
  /** prints that it serves, and ends only after a signal */
  readonly ready?: RegExp
  /** exit codes where the signal comes too late, or is how it is ended */
  readonly codes: readonly number[]
}

const VERBS: Readonly<Record<string, Verb>> = {
  certify: { args: ['certify', ...ONLY, '--out', 'out'], codes: [0] },
  'certify of the embedded target': { args: ['certify', '--embedded', ...ONLY, '--out', 'out'], codes: [0] },
  replay: { args: ['replay', '../recorded', '--config', 'assay.config.json', '--out', 'out'], codes: [0] },
  check: { args: ['check', '../recorded', '--out', 'out'], codes: [0] },
  mock: { args: ['mock', '../recorded', '--binding', 'reference'], ready: /are served on/, codes: [0] },
  record: {
    args: ['record', '--config', 'assay.config.json', '--listen', '127.0.0.1:0', '--out', 'rec'],
    ready: /Recording on/,
    // Nothing passes, so nothing is judged.
    codes: [5],
  },
}

/** Runs a verb in a folder of its own, and signals it at a part of the time that it takes. */
async function signalled(world: World, verb: Verb, folder: string, at: number, signal?: NodeJS.Signals) {
  const running = world.start(verb.args, { cwd: folder, group: true })
  const ready = verb.ready && running.said(verb.ready).then(() => sleep(SERVING_MS))
  // It may be ended before.
  ready?.catch(() => {})
  const whole = signal === undefined ? (ready ?? running.ended) : sleep(at)
  await whole
  running.child.kill(signal ?? 'SIGKILL')
  return { running, ended: await running.ended }
}

describe('a signal at any moment', () => {
  test.concurrent.for(Object.entries(VERBS))(
    'of %s has one line and an exit code, and nothing is left that nobody knows of',
    { timeout: LONGEST_MS },
    async ([name, verb], { world, expect }) => {
      const serving = world.start(['serve', '--json'], { longest: LONGEST_MS })
      const served = JSON.parse((await serving.said(/^\{.*\}$/m))[0]) as Served
      const config = configOf(served, {
        consent: { modifyTarget: true, exclusions: true, deleteListedResources: true },
      })
      const folderOf = (moment: string): string => join(world.write(join(moment, 'assay.config.json'), config), '..')
      const recorded = await world.assay(['certify', '--embedded', ...ONLY, '--record', 'recorded', '--out', 'made'])
      expect(recorded.code, recorded.stderr).toBe(0)
      const before = await account(served)
      const { ms } = (await signalled(world, verb, folderOf('undisturbed'), 0)).ended

      for (const signal of ['SIGINT', 'SIGTERM', 'SIGKILL'] as const) {
        for (let moment = 0; moment <= MOMENTS; moment += 1) {
          const folder = folderOf(`${signal}-${moment}`)
          const { running, ended } = await signalled(world, verb, folder, (ms * moment) / MOMENTS, signal)
          await expect.poll(() => isGroupAlive(running), { timeout: 10_000 }).toBe(false)
          const at = `${name}, ${signal} at ${moment}/${MOMENTS}: ${ended.code} ${ended.stdout}${ended.stderr}`
          const lines = errorLines(ended)
          const files = filesIn(folder).filter((file) => file !== 'assay.config.json')
          const journal = journalIn(join(folder, 'out'))
          if (signal !== 'SIGKILL') {
            // Before node runs the first line of the program, nobody can say anything.
            const isUnheard = ended.code === null && `${ended.stdout}${ended.stderr}` === ''
            // The end of a run with a report is not an error.
            const isReported = files.some((file) => file.endsWith('report.json'))
            if (isUnheard) expect(files, at).toEqual([])
            // After its last output, node takes its listeners away before the process is gone.
            else if (!(isReported && ended.stdout.includes('wrote ')))
              expect(ended.code, at).toBeOneOf([130, ...verb.codes])
            else expect(ended.code, at).toBeOneOf([null, 130, ...verb.codes])
            expect(lines.length, at).toBe(ended.code === 130 && !isReported ? 1 : 0)
            expect(
              files.filter((file) => /\.tmp$|\.part$|\.in-use$/.test(file)),
              at,
            ).toEqual([])
            if (journal) expect(ended.stderr, at).toContain(`cleanup ${journal}`)
            if (existsSync(join(folder, 'rec'))) {
              const checked = await world.assay(['check', 'rec', '--out', 'out'], { cwd: folder })
              expect(checked.stdout + checked.stderr, at).not.toContain('not closed')
            }
          } else if (files.some((file) => file.startsWith(join('rec', 'exchanges')))) {
            const repaired = await world.assay(['fixtures', 'repair', 'rec'], { cwd: folder })
            expect(repaired.code, repaired.stderr).toBe(0)
          }
          // An embedded target goes with its run: nothing is left there, and its journal is of no other target.
          if (journal && !verb.args.includes('--embedded')) {
            const cleaned = await world.assay(['cleanup', journal, '--config', 'assay.config.json'], { cwd: folder })
            expect(cleaned.code, `${at}${cleaned.stderr}`).toBe(0)
          }
          expect(await account(served), at).toEqual(before)
        }
      }
    },
  )
})
