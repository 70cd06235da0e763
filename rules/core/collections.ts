import { type ProbeOf, probes } from '../../schemas/records/intents.ts'
/** Resources of one kind that are made, read, listed, changed and removed one by one, and what the ledger says of each verb. */
export interface Collection {
  /** type of the resource, as bindings call it */
  readonly type: string
  readonly feature: string
  readonly create: string
  readonly update?: string
  readonly remove?: string
  /** further operations that change one */
  readonly others?: readonly string[]
  /** a new thing can be found */
  readonly made?: string
  /** one can be read by itself */
  readonly got?: string
  /** what exists is listed */
  readonly listed?: string
  /** a new thing is read as it was sent; of the named fields only, where any are */
  readonly read?: string
  readonly readFields?: readonly string[]
  /** what an update sent is read; where `values` says so of the fields, that the update is seen */
  readonly updated?: string
  /** what each field is read with after an update, where the text names no more than the verb */
  readonly values?: string
  /** a removed thing is gone */
  readonly removed?: string
  /** condition of the error table that removing it twice brings about */
  readonly unknown?: ProbeOf<'provoke'>
}

export const collections: readonly Collection[] = [
  {
    type: 'board',
    feature: 'boards',
    create: 'create-board',
    update: 'update-board',
    remove: 'delete-board',
    made: 'BOARD-CREATE',
    got: 'BOARD-GET',
    listed: 'BOARD-LIST',
    read: 'BOARD-READ',
    updated: 'BOARD-UPDATE',
    removed: 'BOARD-DELETE',
  },
  {
    type: 'view',
    feature: 'views',
    create: 'create-view',
    update: 'update-view',
    remove: 'delete-view',
    made: 'VIEW-CREATE',
    listed: 'VIEW-LIST',
    read: 'VIEW-READ',
    updated: 'VIEW-UPDATE',
    values: 'VIEW-READ',
    removed: 'VIEW-DELETE',
  },
  {
    type: 'category',
    feature: 'categories',
    create: 'create-category',
    update: 'update-category',
    remove: 'delete-category',
    made: 'CATEGORY-CREATE',
    listed: 'CATEGORY-LIST',
    read: 'CATEGORY-READ',
    updated: 'CATEGORY-UPDATE',
    values: 'CATEGORY-READ',
    removed: 'CATEGORY-DELETE',
  },
  {
    type: 'alert',
    feature: 'alerts',
    create: 'create-alert',
    update: 'update-alert',
    remove: 'delete-alert',
    made: 'ALERT-CREATE',
    listed: 'ALERT-LIST',
    read: 'ALERT-READ',
    updated: 'ALERT-UPDATE',
    values: 'ALERT-READ',
    removed: 'ALERT-DELETE',
  },
  {
    type: 'screen',
    feature: 'screens',
    create: 'create-screen',
    update: 'update-screen',
    remove: 'delete-screen',
    made: 'SCREEN-CREATE',
    listed: 'SCREEN-LIST',
    read: 'SCREEN-READ',
    updated: 'SCREEN-UPDATE',
    values: 'SCREEN-READ',
    removed: 'SCREEN-DELETE-REMOVES',
    unknown: probes.unknownScreen,
  },
  {
    type: 'member',
    feature: 'members',
    create: 'create-member',
    update: 'update-member',
    remove: 'delete-member',
    made: 'MEMBER-CREATE',
    listed: 'MEMBER-LIST',
    read: 'MEMBER-READ',
    updated: 'MEMBER-UPDATE',
    values: 'MEMBER-READ',
    removed: 'MEMBER-DELETE-REMOVES',
    unknown: probes.unknownMember,
  },
  {
    type: 'key',
    feature: 'keys',
    create: 'create-key',
    remove: 'delete-key',
    others: ['update-key'],
    made: 'KEYS-CREATE',
    listed: 'KEYS-CREATE',
    removed: 'KEYS-DELETE',
  },
  {
    type: 'enterprise-key',
    feature: 'enterprise-keys',
    create: 'create-enterprise-key',
    remove: 'delete-enterprise-key',
    made: 'ENTERPRISE-KEYS-CREATE',
    listed: 'ENTERPRISE-KEYS-CREATE',
    removed: 'ENTERPRISE-KEYS-DELETE',
  },
  {
    type: 'preset-alert',
    feature: 'preset-alerts',
    create: 'create-preset-alert',
    update: 'update-preset-alert',
    remove: 'delete-preset-alert',
    listed: 'PRESET-LIST',
    removed: 'PRESET-DELETE-REMOVES',
  },
  {
    type: 'pipeline',
    feature: 'pipelines',
    create: 'create-pipeline',
    update: 'update-pipeline',
    remove: 'delete-pipeline',
    listed: 'PIPELINE-LIST',
    read: 'PIPELINE-READ',
    updated: 'PIPELINE-UPDATE',
    removed: 'PIPELINE-DELETE',
  },
  {
    type: 'source',
    feature: 'pipelines',
    create: 'create-source',
    remove: 'delete-source',
    others: ['update-source'],
    read: 'SOURCE-READ',
    removed: 'SOURCE-DELETE',
  },
  {
    type: 'transform',
    feature: 'pipelines',
    create: 'create-transform',
    remove: 'delete-transform',
    others: ['update-transform'],
    read: 'TRANSFORM-READ',
    removed: 'TRANSFORM-DELETE',
  },
  {
    type: 'gateway-route',
    feature: 'pipelines',
    create: 'create-gateway-route',
    remove: 'delete-gateway-route',
    others: ['update-gateway-route', 'replace-gateway-route'],
    listed: 'ROUTE-LIST',
    read: 'ROUTE-READ',
    removed: 'ROUTE-DELETE',
  },
  {
    type: 'group',
    feature: 'pipelines',
    create: 'create-group-from-pipeline',
    remove: 'delete-group',
    listed: 'GROUP-LIST',
    read: 'GROUP-READ',
    readFields: ['title', 'description'],
    removed: 'GROUP-DELETE',
  },
  {
    type: 'group-revision',
    feature: 'pipelines',
    create: 'create-group-revision',
    listed: 'GROUP-REVISIONS',
  },
  {
    type: 'placed-group',
    feature: 'pipelines',
    create: 'add-group-to-pipeline',
    remove: 'delete-placed-group',
    made: 'PLACEMENT-PLACES',
    others: ['switch-group-revision'],
    removed: 'PLACEMENT-DELETE',
  },
]
