import { operationsFor } from '../../../schemas/binding.ts'
import { operationRow } from '../../../schemas/service.ts'
import { decide, held, type Judgement, unclear } from '../../core/judgement.ts'
import { isNotFound, madeIn, recordIn } from '../../core/reads.ts'
import { isSecretName, resembles } from '../../core/resembles.ts'
import type { Oracle, Rule } from '../../core/rule.ts'
import { NONE_SHOWN } from '../../core/shown-fields.ts'
import type { ExchangeView } from '../../core/view.ts'
import { faultAt, shown } from '../../core/words.ts'
import { doubtOf } from '../../known/doubt.ts'
import { claimOf, type Fields, type KnownRecord, type RecordKind, type Write } from '../../known/fields.ts'

const NONE: readonly Judgement[] = []

/** The one archiving configuration of an account, or each of them where reads name it by an id. */
export const archiving: RecordKind = {
  type: 'archiving',
  id(view, { resources, operations }) {
    const { id, read = '' } = resources.get('archiving') ?? {}
    if (!operations.get(read)?.path.includes(`{${id}}`)) return 'archiving'
    return view.operation?.verb === 'create' ? madeIn(view) : view.params[id ?? '']
  },
  free: true,
  before: true,
  single: true,
}

/**
 * It can be configured (ARCHIVING-CONFIGURE, section 'What the service does'). It is read as it was written, but for
 * secrets (ARCHIVING-READ). After its deletion it is not read any more (ARCHIVING-DELETE).
 */
export const archivingReadBack: Rule<KnownRecord> = {
  operations: (binding) => operationsFor(binding, archiving.type, 'read'),
  judge(view, { write, before, shown: shownBefore }, oracle) {
    if (!write || view.exchange._start < write.at) return NONE
    const record = view.accepted ? recordIn(view) : undefined
    if (!record && !view.accepted && !isNotFound(view)) return NONE
    // Else the path of reads may be another one.
    const isReadable = shownBefore !== NONE_SHOWN || Object.keys(record ?? {}).length > 0
    if (write.sent) {
      if (record || isReadable) return judgeWritten(write, openFields(write.sent), record ?? {}, view, oracle)
      return [unclear(claimOf(write, view, 'ARCHIVING-CONFIGURE'), 'not judged: no read has shown a configuration yet')]
    }
    const isDeleted = operationRow(write.operation)?.verb === 'remove' && before !== undefined && isReadable
    return isDeleted ? [judgeDeleted(write, openFields(before), record ?? {}, view, oracle)] : NONE
  },
}

function openFields(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !isSecretName(name)))
}

function judgeWritten(write: Write, sent: Fields, record: Fields, view: ExchangeView, oracle: Oracle): Judgement[] {
  const doubt = doubtOf(view, write.at, oracle)
  const configured = claimOf(write, view, 'ARCHIVING-CONFIGURE')
  const told = Object.keys(sent).filter((name) => record[name] !== undefined)
  const name = told.find((field) => !resembles(record[field], sent[field]))
  if (!told.some((field) => resembles(record[field], sent[field]))) {
    // Other names for the fields are possible: only what is empty, or says something else, is not what was configured.
    if (Object.keys(record).length > 0 && name === undefined)
      return [unclear(configured, 'not judged: the read shows none of the fields that were sent')]
    const message = 'an archiving configuration that was accepted is not there'
    return [decide(configured, { message, expected: shown(sent), actual: shown(record) }, doubt)]
  }
  const message = `the field ${name} is read back with another value than was sent`
  const fault = name === undefined ? undefined : faultAt(name, message, sent[name], record[name])
  return [held(configured), decide(claimOf(write, view, 'ARCHIVING-READ'), fault, doubt)]
}

function judgeDeleted(write: Write, deleted: Fields, record: Fields, view: ExchangeView, oracle: Oracle): Judgement {
  const told = Object.keys(deleted).filter((name) => record[name] !== undefined)
  const isThere = told.length > 0 && told.every((name) => resembles(record[name], deleted[name]))
  const message = 'an archiving configuration that was deleted is still read'
  const fault = isThere ? { message, expected: 'none', actual: shown(record) } : undefined
  return decide(claimOf(write, view, 'ARCHIVING-DELETE'), fault, doubtOf(view, write.at, oracle))
}
