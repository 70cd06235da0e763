import { parseAllDocuments } from 'yaml'
import { readDocument } from './documents.ts'

/** What is looked at of a Job of Kubernetes. */
export interface Job {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly completionMode?: string
    readonly completions?: number
    readonly parallelism?: number
    readonly backoffLimit?: number
    readonly backoffLimitPerIndex?: number
    readonly maxFailedIndexes?: number
    readonly template: {
      readonly spec: {
        readonly restartPolicy: string
        readonly containers: readonly Container[]
        readonly volumes: readonly Volume[]
      }
    }
  }
}

interface Container {
  readonly name: string
  readonly image: string
  readonly command: readonly string[]
  readonly args: readonly string[]
  readonly envFrom?: readonly { readonly secretRef?: { readonly name: string } }[]
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
}

interface Volume {
  readonly name: string
  readonly persistentVolumeClaim?: { readonly claimName: string }
  readonly configMap?: { readonly name: string }
}

/** The only document of a YAML file of this project. @throws where it is not YAML 1.2, or holds more */
export function readYaml(path: string): unknown {
  const [only, ...more] = parseAllDocuments(readDocument(path))
  if (!only || more.length > 0) throw new Error(`${path} does not hold one document`)
  const [problem] = [...only.errors, ...only.warnings]
  if (problem) throw new Error(`${path}: ${problem.message}`)
  return only.toJS()
}

export function readJob(name: string): Job {
  return readYaml(`examples/kubernetes/${name}`) as Job
}

/** What a container runs: a shell with one script. @throws where it runs something else */
export function scriptOf({ spec }: Job): string {
  const [container] = spec.template.spec.containers
  const script = container?.args[0]
  if (container?.command.join(' ') !== 'sh -c' || script === undefined) throw new Error('it runs no shell')
  return script
}
