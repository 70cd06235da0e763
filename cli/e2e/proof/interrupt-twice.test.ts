import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { Running } from '../../testing/program.ts'
import { configOf, type Served, test, type World } from '../../testing/world.ts'
import { account } from '../testing/account.ts'
import { errorLines, filesIn } from '../testing/expectations.ts'
import { isGroupAlive } from '../testing/groups.ts'
import { journalIn, untilMade } from '../testing/journals.ts'
import { forward, silent } from '../testing/listeners.ts'

/** A slow target: until it gets a signal, it neither carries out nor answers some requests. */
async function slow(world: World, served: Served, some: (method: string) => boolean): Promise<Slow> {
  let lets = false
  let held = (): void => {}
  const first = new Promise<void>((resolve) => {
    held = resolve
  })
  const onward = forward(served.url)
  const listener: RequestListener = (request, response) => {
    const isHeld = !lets && some(request.method ?? '')
    if (isHeld) held()
    return (isHeld ? silent : onward)(request, response)
  }
  const url = await world.http(listener)
  return {
    url,
    first,
    letAll: () => {
      lets = true
    },
  }
}

interface Slow {
  readonly url: string
  /** resolves when the first request is held */
  readonly first: Promise<void>
  letAll(): void
}

const SOON_MS = 5_000

describe('a second Ctrl-C', () => {
  test.concurrent('ends a run at once, with 130, and says what is left, which can be removed', async ({ world }) => {
    const served = await world.serve()
    const before = await account(served)
    const target = await slow(world, served, (method) => method === 'DELETE')
    world.write('config.json', configOf(served, { baseUrl: target.url, timeout: 90_000 }))
    const run = ['certify', '--config', 'config.json', '--only', 'NODE-TITLE-MAX']
    const running = world.start(run, { group: true })
    const out = join(world.folder, 'assay-report')
    await untilMade(out, 3)
    process.kill(-Number(running.child.pid), 'SIGINT')
    await running.said(/stopping, and removing what was made; another Ctrl-C ends this at once/)
    await target.first
    const sent = performance.now()
    process.kill(-Number(running.child.pid), 'SIGINT')
    const { code, stdout, stderr } = await running.ended
    expect(performance.now() - sent).toBeLessThan(SOON_MS)
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' })
    const journal = journalIn(out) ?? ''
    expect(stderr).toContain(`cleanup ${journal} --config config.json`)
    expect(filesIn(out).filter((path) => path.endsWith('report.json'))).toEqual([])
    expect(isGroupAlive(running)).toBe(false)
    expect(await account(served)).not.toEqual(before)

    target.letAll()
    const cleaned = await world.assay(['cleanup', journal, '--config', 'config.json'])
    expect({ code: cleaned.code, lines: errorLines(cleaned) }).toEqual({ code: 0, lines: [] })
    expect(await account(served)).toEqual(before)
  })

  test.concurrent('ends a run on the embedded target with it: nothing is left to be removed', async ({
    world,
    expect,
  }) => {
    const running = world.start(['certify', '--embedded', '--profile', 'thorough'], { group: true })
    await untilMade(join(world.folder, 'assay-report'), 5)
    running.child.kill('SIGINT')
    await running.said(/another Ctrl-C ends this at once/)
    running.child.kill('SIGTERM')
    const { code, stderr } = await running.ended
    // The run may be over by then: in either case it was interrupted, and tells of nothing that is left.
    expect({ code, stderr }).toEqual({ code: 130, stderr: expect.not.stringContaining('cleanup') })
    await expect.poll(() => isGroupAlive(running)).toBe(false)
  })

  test.concurrent('ends a replay at once, and says what is left', async ({ world }) => {
    const served = await world.serve()
    const only = ['--profile', 'quick', '--only', 'SCREEN-DELETE-REMOVES']
    expect((await world.assay(['certify', '--embedded', ...only, '--record', 'rec'])).code).toBe(0)
    const target = await slow(world, served, (method) => method === 'DELETE')
    world.write('config.json', configOf(served, { baseUrl: target.url }))
    const running = world.start(['replay', 'rec', '--config', 'config.json', '--timeout', '90000'], { group: true })
    await target.first
    process.kill(-Number(running.child.pid), 'SIGINT')
    await running.said(/stopping after the requests under way; another Ctrl-C ends this at once/)
    const sent = performance.now()
    process.kill(-Number(running.child.pid), 'SIGINT')
    const { code, stdout, stderr } = await running.ended
    expect(performance.now() - sent).toBeLessThan(SOON_MS)
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' })
    expect(stderr).toContain(`cleanup ${journalIn(join(world.folder, 'assay-replay'))}`)
  })

  test.concurrent('cuts off what a recorder waits for, and the recording is whole', async ({ world }) => {
    const { running, asked } = await recording(world)
    running.child.kill('SIGINT')
    await expect(Promise.race([running.ended, later(500)])).resolves.toBe('later')
    const sent = performance.now()
    running.child.kill('SIGINT')
    const { code, stdout, stderr } = await running.ended
    expect(performance.now() - sent).toBeLessThan(SOON_MS)
    expect({ code, stdout, stderr }).toEqual({
      // The one request got no response: nothing could be judged.
      code: 5,
      stdout: expect.stringMatching(/exchanges +1, 1 without a complete response/),
      stderr: expect.not.stringContaining('ended at once'),
    })
    expect(await asked).toBe('cut off')
    const checked = await world.assay(['check', 'rec'])
    expect(checked.stdout + checked.stderr).not.toContain('not closed')
  })

  test.concurrent('and a third ends a recorder at once, with 130, and says how the recording gets its end', async ({
    world,
  }) => {
    const { running } = await recording(world)
    // Different ones, as the same one counts once where it comes twice before it is heard.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) running.child.kill(signal)
    const { code, stdout, stderr } = await running.ended
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' })
    const [, folder = ''] = /`assay fixtures repair (.*)` gives it one/.exec(stderr) ?? []
    expect(folder).toBe(join(world.folder, 'rec'))
    const repaired = await world.assay(['fixtures', 'repair', folder])
    expect(repaired).toMatchObject({ code: 0, stdout: expect.stringMatching(/exchanges can be read/) })
  })
})

function later(ms: number): Promise<'later'> {
  return new Promise((resolve) => {
    setTimeout(() => resolve('later'), ms)
  })
}

/** A recorder that waits for the answer to one request. `asked`: what becomes of the request. */
async function recording(world: World): Promise<{ running: Running; asked: Promise<string> }> {
  let arrived = (): void => {}
  const first = new Promise<void>((resolve) => {
    arrived = resolve
  })
  const target = await world.http(() => arrived())
  const words = ['record', '--target', target, '--binding', 'default', '--listen', '127.0.0.1:0', '--out', 'rec']
  const running = world.start(words)
  const [, url = ''] = await running.said(/Recording on (\S+),/)
  const asked = fetch(`${url}/v1/config/view`).then(
    ({ status }) => `answered with ${status}`,
    () => 'cut off',
  )
  await first
  return { running, asked }
}
