import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { textsIn } from '../../fixtures/testing/folder.ts'
import { configOf, type Served, test } from '../testing/world.ts'
import { errorLines } from './testing/expectations.ts'

const OTHERS = 60
const HIDDEN = /https:\/\/[a-z]{5}\.[a-z]{4}\.test\/[\w-]+/g

/** Alerts from before the run, with the secrets of their makers. */
async function others({ url, credentials }: Served): Promise<void> {
  for (let number = 1; number <= OTHERS; number += 1) {
    const channel = {
      integration: 'webhook',
      url: `https://hooks.corp.test/T${number}`,
      key: `K3y-of-others-${number}`,
      headers: { 'X-One': `Hd3r-of-others-${number}` },
    }
    const { status } = await fetch(`${url}/v1/config/presetalert`, {
      method: 'POST',
      headers: { authorization: `Token ${credentials.accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `of others ${number}`, channels: [channel] }),
    })
    expect(status).toBe(200)
  }
}

const OF_OTHERS = /hooks\.corp\.test|K3y-of-others|Hd3r-of-others/

test.concurrent('a recorded run shows of an account what a recorder would, in its long bodies as well', async ({
  world,
}) => {
  const served = await world.serve()
  await others(served)
  world.write('assay.config.json', configOf(served))
  const run = ['certify', '--profile', 'quick', '--only', 'PRESET-CREATE-MAKES', '--key-file', 'key']
  const written = ['--bundle', 'run.bundle', '--reporter', 'markdown', 'ctrf', 'text']
  const shown: Set<string>[] = []
  for (const name of ['one', 'two']) {
    const ended = await world.assay([...run, ...written, '--record', name, '--out', `report-${name}`])
    expect({ code: ended.code, lines: errorLines(ended) }).toEqual({ code: 0, lines: [] })
    expect(`${ended.stdout}${ended.stderr}`).not.toMatch(OF_OTHERS)
    const files = textsIn(join(world.folder, name))
    expect([...files.keys()].filter((path) => path.startsWith('bodies'))).not.toEqual([])
    for (const [path, text] of files) {
      expect([path, text.match(OF_OTHERS)]).toEqual([path, null])
    }
    shown.push(new Set([...files.values()].flatMap((text) => text.match(HIDDEN) ?? [])))
  }
  // Reports, evidence and the bundle show as little.
  const all = new Map(textsIn(world.folder))
  expect([...all.keys()]).toEqual(expect.arrayContaining(['run.bundle', 'report-one/report.html']))
  expect(all.get('run.bundle')).toContain('https://')
  expect([...all].filter(([, text]) => OF_OTHERS.test(text)).map(([path]) => path)).toEqual([])
  const secrets = Object.values(configOf(served).credentials ?? {}).filter((one) => typeof one === 'string')
  expect(secrets.length).toBeGreaterThan(3)
  all.delete('assay.config.json')
  expect([...all].filter(([, text]) => secrets.some((one) => text.includes(one))).map(([path]) => path)).toEqual([])
  // The key of both is the same, and so is what stands for a secret.
  expect(shown[0]?.size).toBeGreaterThanOrEqual(OTHERS)
  expect(shown[1]).toEqual(shown[0])
  expect(statSync(join(world.folder, 'key')).mode & 0o777).toBe(0o600)
})
