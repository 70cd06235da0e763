import type { Binding } from '../binding.ts'
import type { Json } from './components.ts'

/** A scheme of the specification's section 'Authentication', as operations name it. */
export type SchemeName = 'access-token' | 'service-key' | 'enterprise-key' | 'ingestion-key' | 'iam'

/** What an operation's family takes where the specification gives it no path. */
const FAMILIES: Readonly<Record<string, readonly SchemeName[]>> = {
  v1: ['access-token', 'service-key', 'iam'],
  v2: ['access-token', 'service-key', 'iam'],
  v3: ['access-token'],
  enterprise: ['enterprise-key'],
  ingestion: ['ingestion-key'],
}

const STATED: Readonly<Record<string, Json>> = {
  'access-token': {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'The word Token, a blank and an access token: `Token <ACCESS_TOKEN>`.',
  },
  'service-key': {
    type: 'apiKey',
    in: 'header',
    name: 'servicekey',
    description: 'A service key. Deprecated: none can be created any more, those that exist still work.',
    'x-deprecated': true,
  },
  'enterprise-key': {
    type: 'apiKey',
    in: 'header',
    name: 'enterprise-servicekey',
    description: 'An enterprise service key. Some operations need an access token beside it.',
  },
}

/** scheme -> the gap whose answer tells its headers */
const BOUND: Readonly<Record<string, string>> = { iam: 'GAP-IAM-HEADER', 'ingestion-key': 'GAP-INGESTION-AUTH' }

/** Every scheme that the binding has words for. One that takes several headers becomes a scheme for each of them. */
export function securitySchemes(binding: Binding): Record<string, Json> {
  const schemes: Record<string, Json> = {}
  for (const [name, scheme] of Object.entries(STATED)) schemes[name] = scheme
  for (const [name, gap] of Object.entries(BOUND)) {
    for (const [index, [header, value]] of headersOf(binding, gap).entries()) {
      schemes[partName(name, index)] = {
        type: 'apiKey',
        in: 'header',
        name: header,
        description: `Its value: \`${value.replaceAll(/\{\{(\w+)\}\}/g, '<$1>')}\`.`,
        'x-gap': gap,
      }
    }
  }
  return schemes
}

/** The alternatives of an operation: `schemes` as the specification lists them, or those of its family. */
export function securityOf(binding: Binding, family: string, schemes?: readonly SchemeName[]): Json[] {
  return (schemes ?? FAMILIES[family] ?? []).flatMap((name): Json[] => {
    const gap = BOUND[name]
    if (gap === undefined) return [{ [name]: [] }]
    const parts = headersOf(binding, gap).map((_, index) => [partName(name, index), []])
    return parts.length === 0 ? [] : [Object.fromEntries(parts)]
  })
}

function partName(name: string, index: number): string {
  return index === 0 ? name : `${name}-${index + 1}`
}

function headersOf(binding: Binding, gap: string): [string, string][] {
  const answer = binding.answers.get(gap)?.value as { readonly headers?: Readonly<Record<string, string>> } | undefined
  return Object.entries(answer?.headers ?? {})
}
