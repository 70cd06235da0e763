import type { Credentials, Document } from './model/configuration.ts'
import { createLineStore, DAY, type LineStore, storeLine } from './model/lines.ts'
import type { Plan, State } from './model/state.ts'

export const OWNER = 'owner@example.com'

const PLAN: Plan = { exportLines: 10_000, retentionDays: 30 }
const SEEDED_DAYS = 10

/** Secrets of one start. Given ones are kept, all others are new. */
export function createCredentials(newId: () => string, given: Partial<Credentials> = {}): Credentials {
  return {
    accessToken: `assay-access-${newId()}`,
    serviceKey: `assay-service-${newId()}`,
    enterpriseServiceKey: `assay-enterprise-${newId()}`,
    ingestionKey: `assay-ingestion-${newId()}`,
    iam: { token: `assay-iam-${newId()}`, cloudResourceName: 'assay-resource' },
    ...given,
  }
}

/** The account at the start: an owner, some members, keys of both types, a screen, lines of ten days. */
export function createState(
  credentials: Credentials,
  env: { readonly now: () => number; readonly newId: () => string },
  plan: Partial<Plan> = {},
): State {
  const now = env.now()
  const state: State = {
    credentials,
    plan: { ...PLAN, ...plan },
    enterpriseKeys: new Map(),
    keys: new Map(),
    members: new Map(),
    screens: new Map(),
    boards: new Map(),
    views: new Map(),
    alerts: new Map(),
    presets: new Map(),
    categories: { views: new Map(), boards: new Map(), screens: new Map() },
    archiving: null,
    exclusions: new Map(),
    pipelines: new Map(),
    groups: new Map(),
    gatewayRoutes: new Map(),
    lines: createLineStore(),
    suspension: { suspended: false, guard: null },
    outbox: [],
  }
  for (const type of ['ingestion', 'service'] as const) {
    const id = env.newId()
    const key = env.newId().replaceAll('-', '')
    state.enterpriseKeys.set(id, { id, key, name: `first ${type} key`, type, created: now })
  }
  for (const [email, role] of [
    [OWNER, 'owner'],
    ['admin@example.com', 'admin'],
    ['reader@example.com', 'readonly'],
  ] as const) {
    state.members.set(email, { email, role, groups: [] })
  }
  addDocument(state.screens, { id: env.newId(), body: { title: 'Overview' } })
  addDocument(state.presets, { id: env.newId(), body: { name: 'Errors', channels: [] } })
  const exclusion = env.newId()
  state.exclusions.set(exclusion, {
    id: exclusion,
    title: 'Health checks',
    apps: ['health-check'],
    hosts: [],
    query: '',
    active: false,
    indexonly: true,
  })
  seedLines(state.lines, now)
  return state
}

function addDocument(documents: Map<string, Document>, document: Document): void {
  documents.set(document.id, document)
}

// Usage reports differ by day, so each day gets another number of lines; none lies in the future. Half of them lie a
// few minutes after noon: there a report that counts by the second differs from one that counts by the day.
function seedLines(store: LineStore, now: number): void {
  const today = Math.floor(now / DAY)
  for (let back = SEEDED_DAYS - 1; back >= 0; back -= 1) {
    for (let index = 0; index < 6 + back; index += 1) {
      const minute = index % 2 === 0 ? 7 + index * 61 : 722 + (index - 1) / 2
      const ts = (today - back) * DAY + 1000 * 60 * minute
      if (ts > now) continue
      storeLine(store, {
        ts,
        line: `order ${back * 100 + index} was shipped`,
        host: `shop-${index % 3}`,
        app: ['checkout', 'search', 'mail'][index % 3] ?? '',
        level: index % 5 === 0 ? 'error' : 'info',
        env: 'demo',
        tags: ['shop', ...(index % 2 === 0 ? ['blue'] : ['green']), ...(index % 4 === 0 ? ['canary'] : [])],
        mac: '',
        ip: `192.0.2.${index % 3}`,
        meta: undefined,
      })
    }
  }
}
