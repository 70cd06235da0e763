import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { test } from '../testing/world.ts'
import { errorLines } from './testing/expectations.ts'

test.concurrent('a verdict whose report cannot be written is said all the same; nothing of the journal stays', async ({
  world,
}) => {
  world.write('out/report.json/in-its-place', '')
  const ended = await world.assay([
    'certify',
    '--embedded',
    '--only',
    'screen-removal',
    '--profile',
    'quick',
    '--out',
    'out',
  ])
  expect(ended.code).toBe(5)
  expect(ended.stdout).toContain('partial: embedded reference: only a part was run (--only)')
  expect(ended.stdout).not.toContain('wrote')
  expect(errorLines(ended)).toEqual([
    expect.stringMatching(/out\/report\.json: a folder stands where the file is to be written; .*--out/),
  ])
  expect(readdirSync(join(world.folder, 'out')).sort()).toEqual(['evidence', 'report.json'])
})

test.concurrent.for([
  ['--bundle', 'taken/b.tgz', /taken\/b\.tgz: a file stands where a folder is needed; choose another --bundle/],
  ['--bundle', '.', /: is a folder; choose another --bundle/],
  ['--bundle', '/proc/b.tgz', /\/proc\/b\.tgz: .*; choose another --bundle/],
  ['--record', 'taken', /taken: a file stands where a folder is needed; choose another --record/],
] as const)('certify %s %s is refused before anything is sent', async ([option, path, said], { world }) => {
  let seen = 0
  const url = await world.http((_request, response) => {
    seen += 1
    response.end('{}')
  })
  world.write('taken', 'mine')
  const ended = await world.assay(['certify', url, '--yes-modify-target', '--out', 'out', option, path])
  expect(ended.code).toBe(2)
  expect(errorLines(ended)).toEqual([expect.stringMatching(said)])
  expect(seen).toBe(0)
  expect(readdirSync(world.folder)).toEqual(['taken'])
})
