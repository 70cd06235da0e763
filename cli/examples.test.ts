import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadBinding } from '../engine/config/binding.ts'
import { bindingSchema, namesOfOperation, shippedWhole } from '../engine/config/binding-names.ts'
import { resolveBinding, shippedBindings } from '../schemas/binding.ts'
import { createValidator } from '../schemas/validator.ts'
import { commandsOf } from './testing/documents.ts'
import { readJob, readYaml, scriptOf } from './testing/manifests.ts'

describe('the manifests for Kubernetes', () => {
  const shards = readJob('shards.yaml')
  const merge = readJob('merge.yaml')

  test('have the fields that an Indexed Job needs', () => {
    expect(shards).toMatchObject({
      apiVersion: 'batch/v1',
      kind: 'Job',
      spec: { completionMode: 'Indexed', completions: 8, parallelism: 8 },
    })
    // A limit for each index is allowed where pods are never restarted in place, and instead of one for all.
    expect(shards.spec.template.spec.restartPolicy).toBe('Never')
    expect(shards.spec.backoffLimitPerIndex).toBeGreaterThanOrEqual(1)
    expect(shards.spec.maxFailedIndexes).toBeLessThanOrEqual(shards.spec.completions ?? 0)
    expect(merge).toMatchObject({ apiVersion: 'batch/v1', kind: 'Job', spec: { backoffLimit: 0 } })
  })

  test('have as many shards as pods', () => {
    const [, of] = /--shard \$\(\(JOB_COMPLETION_INDEX \+ 1\)\)\/(\d+)/.exec(scriptOf(shards)) ?? []
    expect(Number(of)).toBe(shards.spec.completions)
  })

  test('mount what they use, and share one volume', () => {
    for (const { spec } of [shards, merge]) {
      const { containers, volumes } = spec.template.spec
      const names = new Set(volumes.map(({ name }) => name))
      for (const mount of containers.flatMap(({ volumeMounts }) => volumeMounts)) expect(names).toContain(mount.name)
    }
    const claims = [shards, merge].map(
      ({ spec }) => spec.template.spec.volumes.find(({ name }) => name === 'reports')?.persistentVolumeClaim?.claimName,
    )
    const claim = readYaml('examples/kubernetes/volume.yaml')
    expect(claim).toMatchObject({ kind: 'PersistentVolumeClaim', spec: { accessModes: ['ReadWriteMany'] } })
    expect(new Set([...claims, (claim as typeof shards).metadata.name]).size).toBe(1)
  })

  test('give a merge the folders that the shards write, and no other', () => {
    const [command] = commandsOf({ at: '', info: 'sh', text: scriptOf(merge) })
    expect(command?.words).toEqual(expect.arrayContaining(['assay', 'merge', '/reports/[0-9]*/report.json']))
    expect(scriptOf(shards)).toContain('--out /reports/$JOB_COMPLETION_INDEX')
  })
})

interface Workflow {
  readonly on: unknown
  readonly permissions: unknown
  readonly jobs: Readonly<Record<string, WorkflowJob>>
}

interface WorkflowJob {
  readonly 'runs-on': string
  readonly 'timeout-minutes': number
  readonly needs?: string
  readonly steps: readonly { readonly uses?: string; readonly run?: string; readonly with?: object }[]
}

describe('workflows', () => {
  test.each([
    '.github/workflows/ci.yml',
    '.github/workflows/certify.yml',
    'examples/second-server/.github/workflows/conformance.yml',
  ])('%s says when it runs, how long at most, what it may do, and what each step is', (path) => {
    const { on, permissions, jobs } = readYaml(path) as Workflow
    expect(on).toBeTypeOf('object')
    expect(permissions).toEqual({ contents: 'read' })
    for (const job of Object.values(jobs)) {
      expect(job['runs-on']).toBe('ubuntu-latest')
      expect(job['timeout-minutes']).toBeLessThanOrEqual(30)
      if (job.needs !== undefined) expect(Object.keys(jobs)).toContain(job.needs)
      for (const { uses, run } of job.steps) expect([uses, run].filter((one) => one !== undefined)).toHaveLength(1)
    }
  })

  test('give the action only inputs that it has', () => {
    const { inputs } = readYaml('action.yml') as { inputs: object }
    const steps = ['.github/workflows/certify.yml', 'examples/second-server/.github/workflows/conformance.yml']
      .flatMap((path) => Object.values((readYaml(path) as Workflow).jobs))
      .flatMap((job) => job.steps)
      .filter(({ uses = '' }) => uses === './' || uses.includes('/assay@') || uses === './assay')
    expect(steps.length).toBeGreaterThanOrEqual(3)
    for (const step of steps) expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(step.with ?? {})))
  })
})

test('bindings in use say nothing of an operation that `assay binding explain` does not tell, and fit the schema for editors', () => {
  const folder = join(dirname(import.meta.dirname), 'examples')
  const validator = createValidator(new Map([['binding', bindingSchema()]]))
  const all = shippedWhole()
  const lacking: string[] = []
  for (const path of [...shippedBindings(), 'second-server/binding.json', 'third-server/binding.json']) {
    const data = loadBinding(path, folder)
    const binding = resolveBinding(data)
    expect(validator.violations('binding', data.files[0])).toEqual([])
    for (const [id, said] of data.files.flatMap((file) => Object.entries(file.operations ?? {}))) {
      const names = namesOfOperation(id, binding, all)
      const fixed = id === 'list-usage-by-tag' ? ['from', 'to'] : []
      for (const part of ['parameters', 'fields', 'answer'] as const) {
        const used = Object.keys(said[part] ?? {}).filter((name) => !fixed.includes(name))
        const unknown = used.filter((name) => !names[part].some((one) => one.name === name))
        lacking.push(...unknown.map((name) => `${path} ${id} ${part}.${name}`))
      }
    }
  }
  expect(lacking).toEqual([])
})
