import { createLineStore, DAY, type LineStore, storeLine } from './model/lines.ts'
import { type Credentials, type Fields, type Plan, type State, things } from './model/state.ts'

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
    things: new Map(),
    lines: createLineStore(),
    suspension: { suspended: false, guard: null },
  }
  const add = (type: string, body: Fields, id: string = env.newId()): void =>
    void things(state, type).set(id, { id, body })
  for (const type of ['ingestion', 'service']) {
    const key = env.newId().replaceAll('-', '')
    add('enterprise-key', { key, name: `first ${type} key`, type, created: now })
  }
  for (const [email, role] of [
    [OWNER, 'owner'],
    ['admin@example.com', 'admin'],
    ['reader@example.com', 'readonly'],
  ] as const) {
    add('member', { email, role, groups: [] }, email)
  }
  add('screen', { title: 'Overview' })
  add('preset-alert', { name: 'Errors', channels: [] })
  const selectors = { apps: ['health-check'], hosts: [], query: '' }
  add('exclusion', { title: 'Health checks', ...selectors, active: false, indexonly: true })
  seedLines(state.lines, now)
  return state
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
