import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { configOf, test } from '../testing/world.ts'
import { account } from './testing/account.ts'
import { errorLines, filesIn, readReport } from './testing/expectations.ts'
import { journalIn, untilMade } from './testing/journals.ts'
import { forward } from './testing/listeners.ts'

const taken = (hint: string) => [
  expect.stringMatching(new RegExp(`another assay writes there \\(process \\d+\\); ${hint}`)),
]

describe('two programs on one folder: the second ends with one line and exit code 2, and the first is as it would be alone', () => {
  test.concurrent('certify and certify, check and cleanup', async ({ world }) => {
    const served = await world.serve()
    const before = await account(served)
    // The first goes on until what it made may be removed.
    let lets = (): void => {}
    const gate = new Promise<void>((resolve) => {
      lets = resolve
    })
    const onward = forward(served.url)
    const baseUrl = await world.http((request, response) => {
      const wait = request.method === 'DELETE' ? gate : Promise.resolve()
      void wait.then(() => onward(request, response))
    })
    const config = world.write('assay.config.json', configOf(served, { baseUrl }))
    const run = ['certify', '--profile', 'quick', '--only', 'NODE-TITLE-MAX', 'SCREEN-DELETE-REMOVES', '--seed', '7']
    const first = world.start([...run, '--record', 'recorded'])
    const out = join(world.folder, 'assay-report')
    await untilMade(out, 1)
    const second = await world.assay([...run])
    expect({ code: second.code, lines: errorLines(second) }).toEqual({ code: 2, lines: taken('choose another --out') })
    const cleanup = await world.assay(['cleanup', journalIn(out) ?? '', '--config', config])
    expect({ code: cleanup.code, lines: errorLines(cleanup) }).toEqual({ code: 2, lines: taken('wait until it ends') })
    lets()
    const ended = await first.ended
    expect({ code: ended.code, lines: errorLines(ended) }).toEqual({ code: 0, lines: [] })
    expect(readReport(out)).toMatchObject({ leftovers: [], problems: [] })
    expect(await account(served)).toEqual(before)
    expect(filesIn(out).sort()).toEqual(['junit.xml', 'report.html', 'report.json'])
    const checked = await world.assay(['check', 'recorded'])
    expect(checked.code).toBe(0)
  })

  test.concurrent('record and record, check and repair', async ({ world }) => {
    const served = await world.serve()
    const config = world.write('assay.config.json', configOf(served))
    const record = ['record', '--config', config, '--listen', '127.0.0.1:0', '--out', 'rec', '--json']
    const first = world.start(record)
    const [, url = ''] = await first.said(/Recording on (\S+),/)
    const ask = () =>
      fetch(`${url}/v1/config/view`, { headers: { authorization: `Token ${served.credentials.accessToken}` } })
    expect((await ask()).status).toBe(200)
    const second = await world.assay(record)
    expect({ code: second.code, lines: errorLines(second) }).toEqual({ code: 2, lines: taken('choose another --out') })
    const repair = await world.assay(['fixtures', 'repair', 'rec'])
    expect({ code: repair.code, lines: errorLines(repair) }).toEqual({ code: 2, lines: taken('wait until it ends') })
    // A reader meanwhile gets what is on the disk, and hears that more may come.
    const checked = await world.assay(['check', 'rec', '--binding', 'reference'])
    expect(errorLines(checked)).toEqual([])
    expect(checked.stderr).toMatch(/was not closed: .* or still writes/)
    expect((await ask()).status).toBe(200)
    first.child.kill('SIGINT')
    const { code, stdout } = await first.ended
    expect({ code, summary: JSON.parse(stdout) }).toMatchObject({
      // Lists of views alone show no requirement.
      code: 5,
      summary: { problems: [], counts: { exchanges: 2, known: 2, judged: 0 } },
    })
    expect(
      filesIn(join(world.folder, 'rec')).filter((name) => !/^(binding|findings|summary|exchanges-000001)/.test(name)),
    ).toEqual([])
  })
})
