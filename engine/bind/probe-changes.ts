import type { Binding, TargetOperation } from '../../schemas/binding.ts'
import { fillPath } from '../../schemas/matcher.ts'
import { fillTemplate, placeholders } from '../../schemas/template.ts'
import type { Made } from './client.ts'
import { verbsOf } from './found.ts'
import { type Fields, idsIn, isSame, leavesOf, listWith, placesOf } from './places.ts'
import { generationIn } from './probe-things.ts'
import { ask, type Found, familyOf, note, operationOf, type Probe, placesIn, said, samplesOf } from './probing.ts'
import { nameAmong, plain } from './vocabulary.ts'

/** Changes what was made, and looks whether the change is there. */
export async function probeUpdate(probe: Probe, { type, label, item, body }: Found, more: Fields = {}): Promise<void> {
  const { update, read } = verbsOf(type, probe.shipped[0] as Binding)
  const operation = operationOf(probe, update)
  if (update === '' || item === undefined) return
  const path = operation?.specified === true ? operation.path : item
  const renames = renamesOf(probe, type, body)
  for (const sample of [...samplesOf(probe, update), {}]) {
    const template = withNames(
      { ...sample },
      renames,
      probe.findings.operations.get(verbsOf(type, probe.shipped[0] as Binding).create)?.body,
    )
    const values = { label: `${label}-2`, email: label, ...probe.ids, generation_id: more.generation }
    if ([...placeholders(template)].some((one) => (values as Fields)[one] === undefined)) continue
    const sent = fillTemplate(template, values) as Fields
    for (const method of operation?.specified === true ? [operation.method] : methodsFor(operation)) {
      const answer = await ask(probe, method, path, sent)
      if (!answer.ok) continue
      const now = await ask(probe, 'GET', item)
      const changed = Object.entries(sent).some(
        ([field, value]) =>
          typeof value !== 'object' && !isSame(body[field], value) && placesOf(now.json, value).length > 0,
      )
      if (!now.ok || !changed) continue
      const id = probe.ids[probe.shipped[0]?.resources.get(type)?.id ?? ''] ?? ''
      note(probe, {
        id: update,
        method,
        path,
        body: template,
        fields: {},
        answer: { ...placesIn(answer.json, id, sent), ...generationIn(answer.json, type) },
        status: answer.status,
        from: `probe: ${said(method, path, answer)}, and ${read} then shows the change`,
        sure: 'proven',
      })
      return
    }
  }
  probe.findings.open.set(update, `${methodsFor(operation).join(', ')} ${path} changed nothing that could be seen`)
}

function methodsFor(operation: TargetOperation | undefined): string[] {
  return [...new Set([operation?.method ?? 'PUT', 'PUT', 'PATCH', 'POST'])]
}

/** How fields of the sample were renamed until it was accepted: our name -> the target's. */
function renamesOf(probe: Probe, type: string, body: Fields): Map<string, string> {
  const { create } = verbsOf(type, probe.shipped[0] as Binding)
  const ours = samplesOf(probe, create).flatMap((sample) => Object.keys(sample))
  const pairs = Object.keys(body).flatMap((theirs): [string, string][] => {
    if (ours.includes(theirs)) return []
    const name = ours.find((one) => body[one] === undefined && nameAmong(one, [theirs]) !== undefined)
    return name === undefined ? [] : [[name, theirs]]
  })
  return new Map(pairs)
}

/** A sample under the target's names; a field that creation needs and the sample lacks is taken from there. */
function withNames(sample: Fields, renames: ReadonlyMap<string, string>, created: Fields | undefined): Fields {
  const renamed = Object.fromEntries(Object.entries(sample).map(([name, value]) => [renames.get(name) ?? name, value]))
  const own = [...renames.values()]
  const missing = Object.entries(created ?? {}).filter(([name]) => own.includes(name) && renamed[name] === undefined)
  return Object.keys(sample).length === 0 ? { ...created } : { ...Object.fromEntries(missing), ...renamed }
}

/** Removes what was made, the newest first, each by its own path; notes the operations that did it. */
export async function removeAll(probe: Probe): Promise<Made[]> {
  const left: Made[] = []
  for (const thing of [...probe.ledger.things].reverse()) {
    if (thing.removed) continue
    // What acts on the account was taken back when it was tried, or could not be.
    const ofAccount = thing.type === 'suspension' || thing.type === 'archiving'
    if (ofAccount || !(await removeOne(probe, thing))) left.push(thing)
  }
  return left
}

export async function removeOne(probe: Probe, thing: Made): Promise<boolean> {
  const { type } = thing
  const verbs = verbsOf(type, probe.shipped[0] as Binding)
  const resource = probe.shipped[0]?.resources.get(type)
  const id = thing.id ?? (await idByName(probe, thing))
  if (id === undefined) return false
  const specified = operationOf(probe, verbs.delete)
  const item = probe.findings.operations.get(verbs.read)?.path
  const list = probe.findings.operations.get(verbs.list)?.path
  const paths = [
    ...(specified?.specified === true ? [specified.path] : []),
    ...(item === undefined ? [] : [item]),
    ...(list === undefined ? [] : [`${list}/{${resource?.id}}`]),
    ...(specified === undefined ? [] : [specified.path]),
  ]
  const ids = { ...probe.ids, ...thing.params, [resource?.id ?? '']: id, id }
  for (const path of new Set(paths)) {
    if ([...path.matchAll(/\{(\w+)\}/g)].some(([, name = '']) => (ids as Fields)[name] === undefined)) continue
    const answer = await probe.client.send({ method: 'DELETE', path: fillPath(path, ids), family: familyOf(path) })
    const gone = answer.ok && (await isGone(probe, verbs, ids, id))
    if (!gone) continue
    await probe.ledger.removed(thing)
    const deleted = leavesOf(answer.json).find(({ name, value }) => value === true && plain(name) === 'deleted')
    const message = leavesOf(answer.json).find(({ name }) => plain(name) === 'message')
    if (verbs.delete !== '') {
      note(probe, {
        id: verbs.delete,
        method: 'DELETE',
        path,
        answer: {
          ...(deleted ? { deleted: deleted.pointer } : {}),
          ...(message && type === 'member' ? { message: message.pointer } : {}),
        },
        status: answer.status,
        from: `probe: ${said('DELETE', path, answer)}, and what it names is gone`,
        sure: 'proven',
      })
    }
    return true
  }
  // A revision goes with its group.
  if (resource?.with !== undefined && verbs.delete === '') {
    await probe.ledger.removed(thing)
    return true
  }
  return false
}

/** Whether what was deleted is no longer read, nor listed. */
async function isGone(
  probe: Probe,
  verbs: { read: string; list: string },
  ids: Record<string, string>,
  id: string,
): Promise<boolean> {
  for (const verb of [verbs.read, verbs.list]) {
    const found = probe.findings.operations.get(verb)
    if (!found) continue
    const answer = await probe.client.send({
      method: 'GET',
      path: fillPath(found.path, ids),
      family: familyOf(found.path),
    })
    if (verb === verbs.read) return !answer.ok
    return answer.ok && listWith(answer.json, id) === undefined
  }
  return true
}

/** For a thing that was made without an answer that tells its id: the list has it under its name. */
async function idByName(probe: Probe, { type, label }: Made): Promise<string | undefined> {
  const { list } = verbsOf(type, probe.shipped[0] as Binding)
  const path = probe.findings.operations.get(list)?.path ?? operationOf(probe, list)?.path
  const key = probe.findings.resources.get(type)?.key ?? probe.shipped[0]?.resources.get(type)?.key ?? 'id'
  if (path === undefined) return undefined
  const answer = await ask(probe, 'GET', path).catch(() => undefined)
  const element = answer?.ok === true ? listWith(answer.json, label)?.element : undefined
  const id = element === undefined ? undefined : (element[key] ?? idsIn(element, { label }, [type])[0]?.value)
  return id === undefined ? undefined : String(id)
}
