import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect } from 'vitest'
import { features, GENERAL } from '../../../schemas/features.ts'
import type { Report } from '../../../schemas/types/report.ts'
import { readJob, scriptOf } from '../../testing/manifests.ts'
import { MAIN } from '../../testing/program.ts'
import { configOf, test, type World } from '../../testing/world.ts'

/** How a configuration takes what a Secret of Kubernetes puts into the environment. */
const FROM_SECRET = ['$', '{env:ASSAY_ACCESS_TOKEN}'].join('')

/** What a pod is given. */
interface Pod {
  /** where its volumes are */
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
}

interface Ended {
  readonly code: number | null
  readonly said: string
}

/** The image has `assay` on its path; here it certifies less than a pod would, so that the proof takes a minute. */
function image(world: World): string {
  const less = 'if [ "$1" = certify ]; then set -- "$@" --profile quick; fi'
  const path = world.write('bin/assay', `#!/bin/sh\n${less}\nexec "${process.execPath}" "${MAIN}" "$@"\n`)
  chmodSync(path, 0o755)
  return dirname(path)
}

/** Runs the script of a Job's container as a pod does, with the volumes below a folder. */
function pod(script: string, { folder, env }: Pod): Promise<Ended> {
  const mounted = script.replaceAll('/reports/', `${folder}/reports/`).replaceAll('/etc/assay/', `${folder}/target/`)
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', mounted], { env })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text
      })
    }
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, said }))
  })
}

function verdicts(path: string): unknown {
  const { verdict, reason, features: claimed, seed, requirements } = JSON.parse(readFileSync(path, 'utf8')) as Report
  return { verdict, reason, claimed, seed, requirements: requirements.map((one) => [one.id, one.verdict, one.reason]) }
}

describe('an Indexed Job of eight pods and the one that merges', { timeout: 400_000 }, () => {
  test('give the verdicts of one run', async ({ world }) => {
    const target = await world.serve()
    // As the example says: what stops the account for everybody is certified by itself.
    const apart = [GENERAL, 'pipelines', 'suspension']
    const claimed = features().flatMap(({ id, available }) => (available && !apart.includes(id) ? [id] : []))
    const config = configOf(target, {
      credentials: { ...target.credentials, accessToken: FROM_SECRET },
      features: ['pipelines', ...claimed],
      consent: { modifyTarget: true, exclusions: true, archiving: true, deleteListedResources: true },
    })
    world.write('target/assay.config.json', config)
    mkdirSync(join(world.folder, 'reports'))
    const secret = { ASSAY_ACCESS_TOKEN: target.credentials.accessToken ?? '' }
    const path = { PATH: `${image(world)}:${process.env.PATH}` }
    const shards = readJob('shards.yaml')
    const start = (index: number): Promise<Ended> =>
      pod(scriptOf(shards), {
        folder: world.folder,
        env: { ...path, ...secret, JOB_COMPLETION_INDEX: String(index) },
      })
    const ended = await Promise.all(Array.from({ length: shards.spec.completions ?? 0 }, (_, index) => start(index)))
    expect(ended.filter(({ code }) => code !== 0)).toEqual([])

    const merged = await pod(scriptOf(readJob('merge.yaml')), { folder: world.folder, env: path })
    expect(merged.code, merged.said).toBeOneOf([0, 4])
    // The merge is tried again after it wrote something, as a pod that is started anew would.
    expect(await pod(scriptOf(readJob('merge.yaml')), { folder: world.folder, env: path })).toMatchObject({
      code: merged.code,
    })

    const args = 'certify --config target/assay.config.json --seed 42 --profile quick --out whole'.split(' ')
    const whole = await world.assay(args, { env: secret })
    expect(whole.code, whole.stderr).toBe(merged.code)
    const together = verdicts(join(world.folder, 'reports/merged/report.json'))
    expect(together).toEqual(verdicts(join(world.folder, 'whole/report.json')))
  })

  test('are partial where a pod is lost', async ({ world }) => {
    mkdirSync(join(world.folder, 'reports'))
    for (const index of [0, 1]) {
      const shard = ['--shard', `${index + 1}/3`, '--features', 'enterprise-keys', 'screens', '--profile', 'quick']
      const { code } = await world.assay([
        'certify',
        '--embedded',
        '--seed',
        '42',
        ...shard,
        '--out',
        `reports/${index}`,
      ])
      expect(code).toBe(4)
    }
    const env = { PATH: `${image(world)}:${process.env.PATH}` }
    const merged = await pod(scriptOf(readJob('merge.yaml')), { folder: world.folder, env })
    expect(merged).toMatchObject({ code: 4, said: expect.stringContaining('shard 3 of 3 is missing') })
  })
})
