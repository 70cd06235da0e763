export type DeployType = 'saas' | 'local'

/** A source or a transform. */
export interface Node {
  readonly id: string
  kind: string
  title: string | null
  description: string | null
  userConfig: Readonly<Record<string, unknown>>
  /** ids of upstream nodes, `<id>.<output>` for one output of a node; always empty for a source */
  inputs: readonly string[]
  deployType: DeployType
  /** counts the writes of this node, from 1 */
  generation: number
  readonly createdAt: number
  updatedAt: number
}

/** A group that stands in a pipeline. */
export interface PlacedGroup {
  readonly id: string
  readonly groupId: string
  revisionId: string
  inputs: readonly string[]
  deployType: DeployType
  readonly createdAt: number
  updatedAt: number
}

export interface Pipeline {
  readonly id: string
  title: string | null
  description: string | null
  deployType: DeployType
  processing: 'enabled' | 'disabled'
  readonly createdAt: number
  updatedAt: number
  publishedAt: number | null
  readonly sources: Map<string, Node>
  readonly transforms: Map<string, Node>
  readonly placedGroups: Map<string, PlacedGroup>
  readonly stateVariables: { readonly id: string; state: Readonly<Record<string, unknown>> }
}

/** The transforms of a group at one time; never changed once made. */
export interface Revision {
  readonly id: string
  readonly groupId: string
  /** from 1 */
  readonly number: number
  readonly description: string | null
  readonly transforms: readonly Node[]
  readonly createdAt: number
}

/** A processor group of the library. */
export interface Group {
  readonly id: string
  readonly title: string | null
  readonly description: string | null
  readonly deployType: DeployType
  /** the pipeline that it was copied from */
  readonly pipelineId: string
  readonly createdAt: number
  /** in the order in which they were made; at least one */
  readonly revisions: Revision[]
}

export interface GatewayRoute {
  readonly id: string
  title: string | null
  description: string | null
  legacyRouting: boolean
  readonly signingKeys: { readonly id: string; readonly key: string; readonly createdAt: number }[]
  readonly accessKeys: { readonly id: string; readonly key: string; readonly createdAt: number }[]
  readonly createdAt: number
  updatedAt: number
}
