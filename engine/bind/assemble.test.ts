import { describe, expect, test } from 'vitest'
import { resolveBinding, shippedBinding } from '../../schemas/binding.ts'
import { assemble } from './assemble.ts'
import { combined, type Findings, type FoundOperation, noFindings } from './found.ts'
import { settingsFor } from './questions.ts'

const found = (more: Partial<FoundOperation> & Pick<FoundOperation, 'id' | 'path'>): FoundOperation => ({
  method: 'GET',
  status: 200,
  from: 'probe: seen',
  sure: 'proven',
  ...more,
})
const findings = (...operations: FoundOperation[]): Findings => ({
  ...noFindings(),
  operations: new Map(operations.map((one) => [one.id, one])),
})
const LIST = found({ id: 'list-boards', path: '/v1/config/dashboards', answer: { list: '/entries' } })

describe('a binding of what was found', () => {
  test('extends what ships and holds only what differs, with where it comes from', () => {
    const same = found({ id: 'list-views', path: '/v1/config/view', answer: { list: '' } })
    const { file } = assemble(findings(LIST, same), 'ours')
    expect(file).toMatchObject({ name: 'ours', extends: 'default' })
    expect(file.operations).toEqual({
      'list-boards': {
        gap: 'GAP-PATHS-BOARDS',
        method: 'GET',
        path: '/v1/config/dashboards',
        answer: { list: '/entries' },
      },
    })
    expect(file.origins).toEqual({
      '/operations/list-boards': { from: 'probe: seen', sure: 'proven' },
    })
  })

  test('takes back the places that a good response does not have', () => {
    const create = found({
      id: 'create-board',
      method: 'POST',
      path: '/v1/config/dashboards',
      answer: { id: '/created/no' },
    })
    const { file } = assemble(findings(create), 'ours')
    expect(file.operations?.['create-board']?.answer).toEqual({ id: '/created/no', record: null })
    const base = shippedBinding('default')
    const { operations } = resolveBinding({ name: 'ours', chain: ['ours', 'default'], files: [file, base] })
    expect(operations.get('create-board')?.answer).toEqual({ id: '/created/no' })
  })

  test.each(['recorded', 'proven'] as const)(
    'takes filters back that were tried, and none that traffic does not show: %s',
    (sure) => {
      const shows = {
        parameters: { from: 'from', to: 'to', size: 'size' },
        fields: { line: '_line' },
        shape: { lines: [] },
      }
      const exported = found({ id: 'export-v2', path: '/v2/export', sure, ...shows, answer: { list: '/lines' } })
      const {
        parameters = {},
        fields = {},
        answer = {},
      } = assemble(findings(exported), 'ours').file.operations?.['export-v2'] ?? {}
      const taken = Object.values({ ...parameters, ...fields, ...answer }).filter((value) => value === null)
      if (sure === 'recorded') expect(taken).toEqual([])
      else expect(parameters).toMatchObject({ hosts: null, apps: null, pagination_id: null })
    },
  )

  test('what was looked for and not found is not offered, unless something speaks for it, or the text gives its path', () => {
    const tried = new Map([
      ['get-board', false],
      ['update-board', true],
      ['list-boards', false],
      ['delete-screen', false],
    ])
    const { file, rows } = assemble({ ...findings(LIST), tried }, 'ours')
    const absent = Object.entries(file.operations ?? {}).filter(([, one]) => one.offered === false)
    expect(absent.map(([id]) => id)).toEqual(['get-board'])
    expect(rows.filter(({ there }) => there).map(({ id }) => id)).toEqual(['list-boards', 'update-board'])
  })

  test('makes no promise that only the reference makes of itself', () => {
    const groups = ['alert', 'board'].map((type) =>
      found({
        id: `update-${type}`,
        method: 'PUT',
        path: `/v1/config/${type}/{${type}_id}`,
        body: shippedBinding('reference').operations?.[`update-${type}`]?.body ?? {},
      }),
    )
    const { file } = assemble(findings(...groups), 'ours')
    expect(file.extends).toBe('reference')
    for (const gap of ['GAP-CONCURRENCY', 'GAP-SIGNING-KEY-REPEAT', 'GAP-USAGE-DAY-ZONE']) {
      expect(file.answers).toHaveProperty(gap, null)
    }
  })

  test('asks for what was not found, the most useful first', () => {
    const { questions, rows } = assemble(findings(LIST), 'ours')
    expect(rows.find(({ id }) => id === 'list-boards')).toMatchObject({
      found: true,
      listAt: '/entries',
      sure: 'proven',
    })
    expect(questions.map(({ unlocks }) => unlocks)).toEqual(
      questions.map(({ unlocks }) => unlocks).sort((a, b) => b - a),
    )
    expect(questions.some(({ about }) => about === 'list-boards')).toBe(false)
    expect(questions.find(({ about }) => about === 'ingest-lines')?.fix).toContain('operations.ingest-lines')
  })

  test('names every key and consent that an operation waits for', () => {
    const rows = [
      [{ family: 'v1', resource: 'exclusion', effect: 'own' }, ['consent.modifyTarget', 'consent.exclusions']],
      [{ family: 'enterprise', effect: 'own' }, ['credentials.enterpriseServiceKey', 'consent.modifyTarget']],
      [{ family: 'v1', resource: 'exclusion', effect: 'read' }, []],
    ] as const
    for (const [row, settings] of rows) expect(settingsFor(row, { baseUrl: '' }, false)).toEqual(settings)
    const open = new Map([['create-exclusion', 'it needs consent.modifyTarget and consent.exclusions']])
    const { questions } = assemble({ ...findings(LIST), open }, 'ours')
    expect(questions.find(({ about }) => about === 'create-exclusion')?.fix).toBe(
      'set consent.modifyTarget and consent.exclusions (a consent to true, if you agree) in the configuration, and bind again',
    )
  })

  test('of two sources that name different paths believes the surer one', () => {
    const documented = { ...LIST, path: '/v1/config/other', sure: 'documented' as const }
    expect(combined([findings(documented), findings(LIST)]).operations.get('list-boards')?.path).toBe(
      '/v1/config/dashboards',
    )
    const more = { ...LIST, sure: 'documented' as const, parameters: { limit: 'top' } }
    expect(combined([findings(LIST), findings(more)]).operations.get('list-boards')).toMatchObject({
      sure: 'proven',
      parameters: { limit: 'top' },
    })
  })
})
