import { describe, expect, test } from 'vitest'
import { fieldsIn, idsIn, listsIn, listWith, recordIn, statusIn } from './places.ts'

describe('places in a response', () => {
  test('the id is found by its name or its look; what was sent and times are none', () => {
    const answer = { created: { made: '2026-01-02T03:04:05Z', count: 7, view: 101, no: 101, title: 'assay-1 board' } }
    const ids = idsIn(answer, { title: 'assay-1 board', view: 101 }, ['board'])
    expect(ids.map(({ pointer }) => pointer)).toEqual(['/created/no'])
    expect(idsIn({ viewid: 'a7' }, {}, ['view'])[0]?.pointer).toBe('/viewid')
    expect(idsIn({ preset_alert_id: 3, id: 4 }, {}, ['alert'])[0]?.pointer).toBe('/id')
  })

  test('the record is the object that holds the id, in whatever it is wrapped', () => {
    expect(recordIn({ result: { uid: 'x-1', shape: { heading: 'a' } } }, 'x-1')).toEqual({
      record: '/result',
      id: '/result/uid',
    })
    expect(recordIn({ id: 7 }, '7')).toEqual({ record: '', id: '/id' })
    expect(recordIn({ other: 7 }, '8')).toBeUndefined()
  })

  test('the list is the one whose element has the value, not the first that there is', () => {
    const answer = { warnings: [{ text: 'old' }], result: { items: [{ no: 1 }, { no: 2, caption: 'assay-1' }] } }
    expect(listWith(answer, 'assay-1')).toMatchObject({ list: '/result/items', element: { no: 2 }, field: 'caption' })
    expect(listWith(answer, 'assay-2')).toBeUndefined()
    expect(listsIn([])).toEqual([''])
    expect(listsIn({ tags: ['a'] })).toEqual([])
  })

  test('whether lines are taken in is said by a flag, whose path may turn it over, or by a word', () => {
    const path = '/v1/config/ingestion/status'
    expect(statusIn({ isIngesting: true }, path)).toEqual({ place: 'ingesting', pointer: '/isIngesting', busy: true })
    expect(statusIn({ active: false }, '/v1/suspension')).toEqual({
      place: 'suspended',
      pointer: '/active',
      busy: false,
    })
    expect(statusIn({ state: 'running' }, '/v1/suspension')).toEqual({ place: 'ingesting', pointer: '/state=running' })
    expect(statusIn({ state: 'suspended' }, path)).toEqual({ place: 'suspended', pointer: '/state=suspended' })
    expect(statusIn({ state: 'active', paused: true }, path)).toMatchObject({ pointer: '/paused', busy: false })
    expect(statusIn({ colour: 'red', wide: true }, path)).toBeUndefined()
  })

  test('an id is known by the kind of resource that its name ends with', () => {
    const group = { transform_group_id: 'g-1', transform_group_revision_id: 'r-1' }
    expect(idsIn(group, {}, ['group-revision', 'revision'])[0]?.value).toBe('r-1')
  })

  test('a field under another name is found by what it holds; where two hold the same, by its name', () => {
    const sent = { title: 'assay-1', description: 'made by assay', deploy_type: 'saas', inputs: ['s-1'] }
    const record = {
      uid: 'x',
      shape: { heading: 'assay-1', about: 'made by assay', feeds: ['s-1'] },
      deploy_type: 'saas',
    }
    expect(fieldsIn(record, sent)).toEqual({
      title: '/shape/heading',
      description: '/shape/about',
      inputs: '/shape/feeds',
    })
    expect(fieldsIn({ colour: 'same', caption: 'same' }, { title: 'same', description: 'same' })).toEqual({
      title: 'caption',
    })
  })
})
