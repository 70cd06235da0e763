import { createHash } from 'node:crypto'
import type { Key } from '../model/configuration.ts'
import { afterwards, body, status, success } from './core/changes.ts'
import type { Fault } from './core/fault.ts'

type Json = Readonly<Record<string, unknown>>

function keys(change: (keys: readonly Json[]) => unknown): Fault['changes'] {
  return body('list-enterprise-keys', (json) => change(json as unknown as readonly Json[]))
}

/** Faults in what good requests are answered with. */
export const answerFaults: readonly Fault[] = [
  {
    name: 'preset-update-body',
    about: 'the update of a preset alert is answered with the preset alert',
    kills: ['PRESET-UPDATE-BODY'],
    changes: success('update-preset-alert', (answer, { body: sent }) => ({
      ...answer,
      json: JSON.parse(Buffer.from(sent).toString()),
    })),
  },
  {
    name: 'preset-create-null',
    about: 'the creation of a preset alert is answered with the body null',
    kills: ['PRESET-CREATE-BODY'],
    changes: success('create-preset-alert', (answer) => ({ ...answer, json: null })),
  },
  {
    name: 'preset-update-text',
    about: 'the update of a preset alert is answered with a text',
    kills: ['PRESET-UPDATE-BODY'],
    changes: success('update-preset-alert', (answer) => ({ ...answer, text: ['OK'] })),
  },
  {
    name: 'exclusion-delete-body',
    about: 'the deletion of an exclusion rule is answered with a body',
    kills: ['EXCLUSION-DELETE-BODY'],
    changes: success('delete-exclusion', (answer) => ({ ...answer, status: 200, json: { deleted: true } })),
  },
  {
    name: 'member-delete-empty',
    about: 'the removal of a member is answered without a body',
    kills: ['MEMBER-DELETE-BODY'],
    changes: success('delete-member', ({ json: _, ...answer }) => answer),
  },
  {
    name: 'screen-delete-text',
    about: 'the deletion of a screen is answered with a body that is not JSON',
    kills: ['SCREEN-DELETE-BODY'],
    changes: success('delete-screen', ({ json: _, ...answer }) => ({ ...answer, text: ['deleted'] })),
  },
  {
    name: 'screen-delete-error-body',
    about: 'the deletion of a screen is carried out and answered with 200 and the body of an error',
    kills: ['SCREEN-RESULT-DELETED-PRESENT'],
    changes: body('delete-screen', () => ({ error: 'no screen', code: 'NotFound', status: 'error' })),
  },
  {
    name: 'member-delete-error-body',
    about: 'the removal of a member is carried out and answered with 200 and the body of an error',
    kills: ['MEMBER-RESULT-DELETED-PRESENT', 'MEMBER-RESULT-MESSAGE-PRESENT'],
    changes: body('delete-member', () => ({ error: 'no member', code: 'NotFound', status: 'error' })),
  },
  {
    name: 'screen-delete-wrapped',
    about: 'the result of the deletion of a screen stands in a field data',
    kills: ['SCREEN-RESULT-DELETED-PRESENT'],
    changes: body('delete-screen', (data) => ({ data })),
  },
  {
    name: 'screen-delete-list',
    about: 'the result of the deletion of a screen stands in an array',
    kills: ['SCREEN-DELETE-BODY'],
    changes: body('delete-screen', (data) => [data]),
  },
  {
    name: 'screen-delete-false',
    about: 'a deleted screen is said not to be deleted',
    kills: ['SCREEN-RESULT-DELETED-TRUE'],
    changes: body('delete-screen', () => ({ deleted: false })),
  },
  {
    name: 'screen-delete-number',
    about: 'deleted of a deleted screen is 1',
    kills: ['SCREEN-RESULT-DELETED-TYPE'],
    changes: body('delete-screen', () => ({ deleted: 1 })),
  },
  {
    name: 'member-delete-false',
    about: 'a removed member is said not to be removed',
    kills: ['MEMBER-RESULT-DELETED-TRUE'],
    changes: body('delete-member', (json) => ({ ...json, deleted: false })),
  },
  {
    name: 'member-delete-text-true',
    about: 'deleted of a removed member is the text true',
    kills: ['MEMBER-RESULT-DELETED-TYPE'],
    changes: body('delete-member', (json) => ({ ...json, deleted: 'true' })),
  },
  {
    name: 'member-delete-null-message',
    about: 'the message about a removed member is null',
    kills: ['MEMBER-RESULT-MESSAGE-TYPE'],
    changes: body('delete-member', (json) => ({ ...json, message: null })),
  },
  {
    name: 'member-delete-no-message',
    about: 'there is no message about a removed member',
    kills: ['MEMBER-RESULT-MESSAGE-PRESENT'],
    changes: body('delete-member', ({ deleted }) => ({ deleted })),
  },
  {
    name: 'keys-wrapped',
    about: 'the list of keys stands in a field keys',
    kills: ['ENT-KEYS-LIST-BODY'],
    changes: keys((list) => ({ keys: list })),
  },
  {
    name: 'keys-by-id',
    about: 'the keys are the values of an object, their ids its names',
    kills: ['ENT-KEYS-LIST-BODY'],
    changes: keys((list) => Object.fromEntries(list.map((key) => [key.id, key]))),
  },
  {
    name: 'keys-ids-only',
    about: 'the list of keys holds their ids only',
    kills: ['KEY-OBJECT'],
    changes: keys((list) => list.map(({ id }) => id)),
  },
  {
    name: 'keys-first-two',
    about: 'the list of keys ends after the second',
    kills: ['ENT-KEYS-LIST-ALL'],
    changes: keys((list) => list.slice(0, 2)),
  },
  {
    name: 'keys-newest-25',
    about: 'the list of keys holds the newest 25 only',
    kills: ['ENT-KEYS-LIST-ALL'],
    changes: keys((list) => list.slice(-25)),
  },
  {
    name: 'keys-newest-left-out',
    about: 'the key that was made last is not in the list of keys',
    kills: ['ENT-KEYS-LIST-ALL'],
    changes: keys((list) => list.slice(0, -1)),
  },
  {
    name: 'keys-service-only',
    about: 'the list of keys leaves out those for ingestion',
    kills: ['ENT-KEYS-LIST-ALL'],
    changes: keys((list) => list.filter(({ type }) => type === 'service')),
  },
  {
    name: 'keys-same-id',
    about: 'keys of one type have the same id',
    kills: ['KEY-ID-UNIQUE'],
    changes: keys((list) => list.map((key) => ({ ...key, id: String(key.type) }))),
  },
  {
    name: 'keys-number-id',
    about: 'the id of a key is a number',
    kills: ['KEY-ID-TYPE'],
    changes: keys((list) => list.map((key, index) => ({ ...key, id: index + 1 }))),
  },
  {
    name: 'keys-type-capital',
    about: 'the type of a key is written with a capital',
    kills: ['KEY-TYPE-VALUES'],
    changes: keys((list) =>
      list.map((key) => ({ ...key, type: String(key.type).replace(/^./, (one) => one.toUpperCase()) })),
    ),
  },
  {
    name: 'keys-type-account',
    about: 'keys have a third type',
    kills: ['KEY-TYPE-VALUES'],
    changes: keys((list) => list.map((key, index) => (index === 0 ? { ...key, type: 'account' } : key))),
  },
  {
    name: 'keys-created-date',
    about: 'the time of creation of a key is a date in text',
    kills: ['KEY-CREATED-TYPE'],
    changes: keys((list) => list.map((key) => ({ ...key, created: new Date(Number(key.created)).toISOString() }))),
  },
  {
    name: 'keys-created-seconds',
    about: 'created of a key is in seconds',
    kills: ['KEY-CREATED-MILLISECONDS'],
    changes: keys((list) => list.map((key) => ({ ...key, created: Math.floor(Number(key.created) / 1000) }))),
  },
  {
    name: 'keys-created-seconds-of-old',
    about: 'created of keys that were there from the start is in seconds',
    kills: ['KEY-CREATED-UNIT'],
    changes: keys((list) =>
      list.map((key) =>
        /^first /.test(String(key.name)) ? { ...key, created: Math.floor(Number(key.created) / 1000) } : key,
      ),
    ),
  },
  {
    name: 'keys-created-microseconds',
    about: 'created of a key is in microseconds',
    kills: ['KEY-CREATED-MILLISECONDS'],
    changes: keys((list) => list.map((key) => ({ ...key, created: Number(key.created) * 1000 }))),
  },
  {
    name: 'keys-created-fraction',
    about: 'the time of creation of a key is in seconds with a fraction',
    kills: ['KEY-CREATED-TYPE'],
    changes: keys((list) => list.map((key) => ({ ...key, created: Number(key.created) / 1000 + 0.0005 }))),
  },
  {
    name: 'keys-secret-left-out',
    about: 'the list of keys does not show the keys themselves',
    kills: ['KEY-KEY-PRESENT'],
    changes: keys((list) => list.map(({ key: _, ...rest }) => rest)),
  },
  {
    name: 'keys-name-31',
    about: 'a key is made under a name of 31 characters',
    kills: ['KEY-NAME-MAX'],
    changes: {
      state: ({ enterpriseKeys }) => {
        const [first] = enterpriseKeys.values()
        if (first) first.name = 'k'.repeat(31)
      },
    },
  },
  {
    name: 'keys-forgotten',
    about: 'a key that is made is not kept',
    kills: ['ENT-KEYS-LIST-ALL'],
    changes: afterwards(
      'create-enterprise-key',
      () => undefined,
      ({ state }, _, { json }) => void state.enterpriseKeys.delete((json as Key).id),
    ),
  },
  {
    name: 'keys-hashed-name',
    about: 'the names of keys are listed as digests',
    kills: ['ENT-KEYS-LIST-ALL'],
    changes: keys((list) =>
      list.map((key) => ({ ...key, name: createHash('sha1').update(String(key.name)).digest('hex').slice(0, 30) })),
    ),
  },
  {
    name: 'processing-status-text',
    about: 'the update of the processing status is answered with a text',
    kills: ['BODY-JSON'],
    changes: success('update-processing-status', ({ json: _, ...answer }) => ({ ...answer, text: ['OK'] })),
  },
  {
    name: 'usage-csv',
    about: 'usage by tag is reported in CSV',
    kills: ['BODY-JSON'],
    changes: success('list-usage-by-tag', ({ json: _, ...answer }) => ({
      ...answer,
      headers: { 'content-type': 'text/csv' },
      text: ['name,percentage\nblue,50\n'],
    })),
  },
  {
    name: 'usage-declared-html',
    about: 'usage by tag is declared as HTML',
    kills: ['BODY-JSON-DECLARED'],
    changes: success('list-usage-by-tag', ({ json, ...answer }) => ({
      ...answer,
      headers: { 'content-type': 'text/html' },
      text: [JSON.stringify(json)],
    })),
  },
  {
    name: 'transform-update-accepted',
    about: 'the update of a transform is answered with 202',
    kills: ['TRANSFORM-UPDATE-STATUS'],
    changes: status('update-transform', 202),
  },
  {
    name: 'group-created',
    about: 'the creation of a processor group is answered with 201',
    kills: ['GROUP-CREATE-STATUS'],
    changes: status('create-group-from-pipeline', 201),
  },
  {
    name: 'member-delete-no-content',
    about: 'the removal of a member is answered with 204',
    kills: ['MEMBER-DELETE-STATUS'],
    changes: status('delete-member', 204),
  },
]
