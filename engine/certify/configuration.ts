import type { TargetConfig } from '../../schemas/types/config.ts'

/** What was in force beside the configuration file: options, and what stands for what was left out. */
export interface InForce {
  readonly config: TargetConfig
  readonly baseUrl: string
  readonly concurrency: number
  readonly timeout: number
  readonly maxIngest: number
  readonly runs: number | undefined
  readonly bail: boolean
}

const GIVEN = '(given)'

/**
 * The configuration as a report shows it: path -> value as text, in the order of the configuration. Credentials and
 * values of header fields are only said to be there; user and password are cut out of URLs.
 */
export function shownConfiguration({ config, baseUrl, ...options }: InForce): Record<string, string> {
  const { credentials = {}, headers = {}, proxy, ...plain } = config
  const { concurrency, timeout, maxIngest, runs, bail } = options
  return {
    ...flattened({
      ...plain,
      baseUrl: withoutUser(baseUrl),
      ...(proxy === undefined ? {} : { proxy: withoutUser(proxy) }),
      concurrency,
      timeout,
      maxIngest,
      ...(runs === undefined ? {} : { runs }),
      ...(bail ? { bail } : {}),
    }),
    ...flattened({ credentials }, GIVEN),
    ...flattened({ headers }, GIVEN),
  }
}

/** Paths with dots -> the leaf as text, or `mask` for each leaf. */
function flattened(value: unknown, mask?: string, path = ''): Record<string, string> {
  if (value === undefined) return {}
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const parts = Object.entries(value).map(([name, part]) =>
      flattened(part, mask, path === '' ? name : `${path}.${name}`),
    )
    return Object.assign({}, ...parts)
  }
  if (mask !== undefined) return { [path]: mask }
  return { [path]: Array.isArray(value) ? value.join(', ') : String(value) }
}

function withoutUser(url: string): string {
  return url.replace(/^([a-z]+:\/\/)[^/?#]*@/i, '$1')
}
