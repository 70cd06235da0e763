import { isSecretThing } from '../../fixtures/redact/names.ts'
import { visible } from '../../reports/text.ts'
import type { BindingData } from '../../schemas/binding.ts'
import { isGap } from '../../schemas/ledger.ts'
import type { JsonSchema } from '../../schemas/load.ts'
import type { Operation } from '../../schemas/operations.ts'
import { pointerSegment } from '../../schemas/pointer.ts'
import type { BoundOperation } from '../../schemas/types/binding.ts'
import type { Requirement } from '../../schemas/types/requirements.ts'
import { createValidator, type Validator } from '../../schemas/validator.ts'
import type { Problem } from '../errors.ts'
import { placeholderProblems, type Sourced } from './binding-placeholders.ts'
import { didYouMean, listed } from './nearest.ts'
import { placeIn, recordProblems } from './record-problems.ts'

/** What a binding is checked against. */
export interface BindingFacts {
  readonly ledger: ReadonlyMap<string, Requirement>
  readonly operations: readonly Operation[]
  /** ids of the operations that anything asks for */
  readonly known: ReadonlySet<string>
  /** names of the fields that the specification gives its resources */
  readonly fields: ReadonlySet<string>
}

/**
 * Everything in a binding of the right form that could not work: found before any request is sent.
 * `sources`: how messages call each file of `data.files`.
 */
export function bindingProblems(data: BindingData, sources: readonly string[], facts: BindingFacts): Problem[] {
  const files = data.files.map((file, index): Sourced => ({ file, source: sources[index] ?? file.name }))
  const validator = answerValidator(facts)
  return [
    ...files.flatMap((one) => nameProblems(one)),
    ...files.flatMap((one) => answerProblems(one, facts, validator)),
    ...files.flatMap((one) => gapProblems(one, facts)),
    ...files.flatMap((one) => pointerProblems(one)),
    ...files.flatMap((one) => overrideProblems(one, facts)),
    ...fieldProblems(files, facts),
    ...idProblems(files, facts),
    ...templateProblems(files, facts),
    ...placeholderProblems(files, facts.operations),
    ...referenceProblems(files, facts),
    ...files.flatMap((one) => keyProblems(one)),
  ]
}

/** The name is said in lines of a terminal and of a build. */
function nameProblems({ file: { name }, source }: Sourced): Problem[] {
  if (visible(name) === name) return []
  const what = 'holds characters that are not shown, or act on a terminal'
  return [{ where: placeIn(source, '/name'), what, hint: 'use letters, digits and blanks' }]
}

/** One validator for the answers of all gaps: making it takes longer than using it. */
function answerValidator({ ledger }: BindingFacts): Validator {
  const schemas = [...ledger.values()].flatMap(({ id, answer }): [string, JsonSchema][] =>
    answer ? [[id, answer]] : [],
  )
  return createValidator(new Map(schemas))
}

/** Answers to gaps that do not exist, or of the wrong form. */
function answerProblems({ file, source }: Sourced, { ledger }: BindingFacts, validator: Validator): Problem[] {
  return Object.entries(file.answers ?? {}).flatMap(([gap, answer]): Problem[] => {
    const where = placeIn(source, `/answers/${gap}`)
    const entry = ledger.get(gap)
    if (!entry || !isGap(entry)) return [unknownGap(gap, where, ledger)]
    if (answer === null) return []
    if (entry.answer === undefined) {
      if (answer === true) return []
      return [{ where, what: 'this gap has no value', hint: 'answer it with operations that name it in gap' }]
    }
    const form = recordProblems(validator, gap, entry.answer, answer, where).map((problem) => ({
      ...problem,
      where: problem.where.replace(`${where}#`, where),
    }))
    return form.length > 0 || gap !== 'GAP-USAGE-DAY-ZONE' ? form : zoneProblems(String(answer), where)
  })
}

/** A name of a time zone that no calendar knows: the schema says no more than that it is a string. */
function zoneProblems(zone: string, where: string): Problem[] {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return []
  } catch {
    const known = ['UTC', ...Intl.supportedValuesOf('timeZone')]
    const what = `there is no time zone ${JSON.stringify(zone)}`
    return [{ where, what, hint: didYouMean(zone, known, 'such as UTC, or Europe/Rome') }]
  }
}

/** Operations that answer gaps that do not exist. */
function gapProblems({ file, source }: Sourced, { ledger }: BindingFacts): Problem[] {
  return Object.entries(file.operations ?? {}).flatMap(([id, { gap }]) => {
    if (gap === undefined) return []
    const entry = ledger.get(gap)
    return entry && isGap(entry) ? [] : [unknownGap(gap, placeIn(source, `/operations/${id}/gap`), ledger)]
  })
}

/** Pointers that no JSON value can be read with. */
function pointerProblems({ file, source }: Sourced): Problem[] {
  return Object.entries(file.operations ?? {}).flatMap(([id, { answer = {} }]) =>
    Object.entries(answer)
      .filter(([, pointer]) => pointer !== null && !/^(\/([^~/]|~[01])*)*$/.test(pointer))
      .map(([name, pointer]) => ({
        where: placeIn(source, `/operations/${id}/answer/${name}`),
        what: `${JSON.stringify(pointer)} is not a JSON pointer`,
        hint: 'begin with a slash; write ~ as ~0, and / inside a name as ~1',
      })),
  )
}

/** Methods, paths, credentials and parameters that the specification gives otherwise. */
function overrideProblems({ file, source }: Sourced, { operations }: BindingFacts): Problem[] {
  return Object.entries(file.operations ?? {}).flatMap(([id, bound]) => {
    const specified = operations.find((operation) => operation.id === id)
    if (!specified) return []
    const where = placeIn(source, `/operations/${id}`)
    const moved = (['method', 'path'] as const).flatMap((field) => {
      if (bound[field] === undefined || bound[field] === specified[field]) return []
      const hint = `the specification says ${specified.method} ${specified.path}; leave it out here`
      return [{ where: `${where}/${field}`, what: `${id} cannot be moved`, hint }]
    })
    return [...moved, ...familyProblems(bound.family, specified, where), ...renameProblems(bound, specified, where)]
  })
}

function familyProblems(family: string | undefined, specified: Operation, where: string): Problem[] {
  if (family === undefined || family === specified.family) return []
  const hint = `the specification says which credentials it takes, those of ${specified.family}; leave it out here`
  return [{ where: `${where}/family`, what: `${specified.id} cannot take other credentials`, hint }]
}

/** Query parameters that the specification names; those that it leaves open may have any name. */
function renameProblems({ parameters = {} }: BoundOperation, specified: Operation, where: string): Problem[] {
  return specified.parameters.flatMap(({ name, gap }) => {
    const theirs = Object.entries(parameters).find(([ours]) => ours === name)?.[1]
    if (gap !== undefined || theirs === undefined || theirs === name) return []
    const hint = `the specification calls it ${name}; leave it out here`
    return [{ where: `${where}/parameters/${name}`, what: `${name} of ${specified.id} cannot be renamed`, hint }]
  })
}

/** What assay reads of each line, and of each row of a usage report. */
export const LINE_FIELDS: readonly string[] = ['id', 'line', 'time', 'host', 'app', 'level', 'env', 'tags', 'meta']
export const ROW_FIELDS: readonly string[] = ['name', 'lines', 'bytes', 'percent']

/** A text, and a list, have places and no fields; a long text would have millions. */
function fieldsOf(body: unknown): string[] {
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? Object.keys(body) : []
}

/** Names of fields that assay does not have: an entry with one of them would rename nothing. */
function fieldProblems(files: readonly Sourced[], { fields }: BindingFacts): Problem[] {
  const sent = files.flatMap(({ file }) => [
    ...Object.values(file.operations ?? {}).flatMap(({ body }) => fieldsOf(body)),
    ...Object.values(file.answers ?? {}).filter((answer) => typeof answer === 'string'),
    ...Object.values(file.resources ?? {}).flatMap(({ key, label }) =>
      [key, label].filter((name) => name !== undefined),
    ),
  ])
  const ofRecords = [...new Set(['id', 'name', ...fields, ...sent])]
  const knownOf = (id: string): readonly string[] => {
    if (/^(ingest-lines|export-v[12])$/.test(id)) return LINE_FIELDS
    return /usage/.test(id) ? ROW_FIELDS : ofRecords
  }
  return files.flatMap(({ file, source }) =>
    Object.entries(file.operations ?? {}).flatMap(([id, bound]) => {
      const known = knownOf(id)
      return Object.keys(bound.fields ?? {})
        .filter((name) => !known.includes(name))
        .map((name) => ({
          where: placeIn(source, `/operations/${id}/fields/${pointerSegment(name)}`),
          what: `assay has no field ${JSON.stringify(name)} of ${id}`,
          hint: didYouMean(
            name,
            known,
            known === ofRecords ? 'name one of its sample body' : `known are ${listed(known, 'and')}`,
          ),
        }))
    }),
  )
}

function unknownGap(gap: string, where: string, ledger: BindingFacts['ledger']): Problem {
  const gaps = [...ledger.values()].filter(isGap).map(({ id }) => id)
  return {
    where,
    what: `there is no gap ${JSON.stringify(gap)}`,
    hint: didYouMean(gap, gaps, '`assay gaps` lists them'),
  }
}

/** Operations that nothing asks for: an id that is misspelt would otherwise be left alone, and yet answer a gap. */
function idProblems(files: readonly Sourced[], { known }: BindingFacts): Problem[] {
  const named = namedByResources(files)
  return files.flatMap(({ file, source }) =>
    Object.keys(file.operations ?? {})
      .filter((id) => !known.has(id) && !named.has(id))
      .map((id) => ({
        where: placeIn(source, `/operations/${id}`),
        what: `nothing asks for an operation ${JSON.stringify(id)}`,
        hint: didYouMean(id, known, 'a resource must name an operation of your own'),
      })),
  )
}

/** A binding may give operations ids of its own, where its resources are made, read, listed or deleted by them. */
function namedByResources(files: readonly Sourced[]): ReadonlySet<string | undefined> {
  return new Set(
    files.flatMap(({ file }) =>
      Object.values(file.resources ?? {}).flatMap((resource) => [
        resource.create,
        resource.read,
        resource.list,
        resource.delete,
      ]),
    ),
  )
}

/** Operations without a path or a method, and path templates with a placeholder that nothing fills. */
function templateProblems(files: readonly Sourced[], { operations, known }: BindingFacts): Problem[] {
  const resources = files.flatMap(({ file }) => Object.values(file.resources ?? {}).map(({ id }) => id))
  const specified = new Set(operations.map(({ id }) => id))
  const named = namedByResources(files)
  const seen = new Set<string>()
  return files.flatMap(({ file, source }) =>
    Object.entries(file.operations ?? {}).flatMap(([id, bound]): Problem[] => {
      if (specified.has(id)) return []
      const where = placeIn(source, `/operations/${id}`)
      if (bound.path === undefined) {
        const below = files.some((other) => other.file !== file && other.file.operations?.[id]?.path !== undefined)
        if (below || bound.offered === false || seen.has(id)) return []
        seen.add(id)
        if (!known.has(id) && !named.has(id)) return []
        const what = 'this operation is not in the specification, and needs a path'
        return [{ where, what, hint: 'give method and path' }]
      }
      const hasMethod = files.some(({ file: other }) => other.operations?.[id]?.method !== undefined)
      return [
        ...(hasMethod
          ? []
          : [{ where, what: 'this operation has a path, but no method', hint: `give method, such as ${METHODS}` }]),
        ...unfilled(bound.path, resources).map((name) => ({
          where: `${where}/path`,
          what: `nothing fills {${name}}`,
          hint: didYouMean(name, resources, 'a resource with this id is missing under resources'),
        })),
      ]
    }),
  )
}

const METHODS = '"GET" or "POST"'

function unfilled(path: string, known: readonly string[]): string[] {
  const names = [...path.matchAll(/\{([^}]*)\}?/g)].map((match) => match[1] ?? '')
  return [...new Set(names)].filter((name) => !known.includes(name))
}

/** Resources that name operations or resources that there are not. */
function referenceProblems(files: readonly Sourced[], { operations }: BindingFacts): Problem[] {
  const known = [...operations.map(({ id }) => id), ...files.flatMap(({ file }) => Object.keys(file.operations ?? {}))]
  const types = files.flatMap(({ file }) => Object.keys(file.resources ?? {}))
  return files.flatMap(({ file, source }) =>
    Object.entries(file.resources ?? {}).flatMap(([type, resource]) => {
      const check = (field: string, name: string | undefined, names: readonly string[], kind: string): Problem[] => {
        if (name === undefined || names.includes(name)) return []
        const where = placeIn(source, `/resources/${type}/${field}`)
        return [{ where, what: `there is no ${kind} ${JSON.stringify(name)}`, hint: didYouMean(name, names, '') }]
      }
      return [
        ...(['create', 'read', 'list', 'delete'] as const).flatMap((field) =>
          check(field, resource[field], known, 'operation'),
        ),
        ...(resource.needs ?? []).flatMap((name, index) => check(`needs/${index}`, name, types, 'resource')),
        ...check('with', resource.with, types, 'resource'),
      ]
    }),
  )
}

/** Keys whose id would be a field that holds a key: it is hidden before anything sees it, and so leads nowhere. */
function keyProblems({ file, source }: Sourced): Problem[] {
  const hint = 'this field holds the key itself, which assay hides; name the field with the id of the key'
  const check = (name: string | undefined, place: string): Problem[] =>
    name === undefined || !isSecretThing(name)
      ? []
      : [{ where: placeIn(source, place), what: `${JSON.stringify(name)} is not the id of a key`, hint }]
  const isOfKeys = ([id]: readonly [string, unknown]): boolean => /key/.test(id)
  return [
    ...Object.entries(file.operations ?? {})
      .filter(isOfKeys)
      .flatMap(([id, { answer }]) => check(answer?.id?.split('/').at(-1), `/operations/${id}/answer/id`)),
    ...Object.entries(file.resources ?? {})
      .filter(isOfKeys)
      .flatMap(([type, { key }]) => check(key, `/resources/${type}/key`)),
  ]
}
