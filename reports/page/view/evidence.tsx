import type { ComponentChildren, VNode } from 'preact'
import type { RequirementResult } from '../../../schemas/types/report.ts'
import { counted, number } from '../../counted.ts'
import { Facts } from './parts.tsx'
import { Text } from './text.tsx'

/** What a verdict stands on, in one line; or why there is nothing. */
export function EvidenceLine({ result }: { readonly result: RequirementResult }): VNode {
  const { evidence, reason, verdict } = result
  if (verdict === 'not-run' || verdict === 'error') {
    // `gap-unanswered: GAP-TAP-ANSWER` with the kind in front
    const [mark, kind = ''] = /^([a-z-]+): /.exec(reason) ?? []
    if (mark === undefined) return <Text value={reason} most={300} />
    return (
      <span>
        <span class="kind">{kind.replaceAll('-', ' ')}</span> <Text value={reason.slice(mark.length)} most={300} />
      </span>
    )
  }
  if (verdict === 'observed') {
    const seen = Object.keys(evidence.observations)
    return (
      <span>
        <Text value={seen[0] ?? ''} most={200} />
        {seen.length > 1 && <span class="soft"> and {counted(seen.length - 1, 'more', 'more')}</span>}
      </span>
    )
  }
  const parts = [
    evidence.broken > 0 && `${number(evidence.broken)} broken`,
    evidence.accepted > 0 && `${number(evidence.accepted)} accepted`,
    evidence.refused > 0 && `${number(evidence.refused)} refused`,
    evidence.accepted + evidence.refused === 0 && `judged ${counted(evidence.judged, 'time')}`,
    evidence.edges.length > 0 && counted(evidence.edges.length, 'edge'),
    strengthOf(result),
  ].filter((part) => typeof part === 'string' && part !== '')
  return <span>{parts.join(', ')}</span>
}

/** How many deliberate faults were found by it, where the report knows. */
function strengthOf({ evidence: { mutants } }: RequirementResult): string {
  if (!mutants || mutants.tried === 0) return ''
  return `${number(mutants.killed)} of ${counted(mutants.tried, 'mutant')} killed`
}

/** Everything that the report knows about one requirement. */
export function EvidenceDetails({ result }: { readonly result: RequirementResult }): VNode {
  const { id, section, feature, reason, evidence, findings } = result
  return (
    <div class="evidence">
      <Facts
        pairs={[
          ['Link', <a key="l" href={`#${encodeURIComponent(id)}`}>{`#${id}`}</a>],
          ['Specification', <Text key="s" value={section} most={300} />],
          ['Feature', <Text key="f" value={feature} most={100} />],
          ['Why', reason !== '' && <Text value={reason} most={1000} />],
          ['Judged', evidence.judged > 0 && counted(evidence.judged, 'time')],
          ['Good inputs accepted', evidence.accepted > 0 && number(evidence.accepted)],
          ['Bad inputs refused', evidence.refused > 0 && number(evidence.refused)],
          ['Inconclusive', evidence.inconclusive > 0 && number(evidence.inconclusive)],
          ['In doubt', evidence.doubted !== undefined && number(evidence.doubted)],
          ['Broken', evidence.broken > 0 && number(evidence.broken)],
          ['Mutants', strengthOf(result)],
          ['Operations', tags(Object.entries(evidence.operations))],
          ['Edges tried', evidence.edges.length > 0 && tags(evidence.edges.map((edge) => [edge, 0]))],
          ['Observed', list(evidence.observations)],
          [
            'Finding',
            findings.length > 0 && (
              <a href={`#finding-${encodeURIComponent(id)}`}>{counted(findings.length, 'finding')}</a>
            ),
          ],
        ]}
      />
    </div>
  )
}

function tags(entries: readonly (readonly [string, number])[]): ComponentChildren {
  if (entries.length === 0) return ''
  return (
    <span class="tags">
      {entries.map(([name, count]) => (
        <span key={name} class="tag">
          <Text value={name} most={200} />
          {count > 0 && <span class="soft"> {number(count)}</span>}
        </span>
      ))}
    </span>
  )
}

function list(observations: Readonly<Record<string, number>>): ComponentChildren {
  const entries = Object.entries(observations)
  if (entries.length === 0) return ''
  return (
    <ul class="plain">
      {entries.map(([what, times]) => (
        <li key={what}>
          <Text value={what} most={600} /> <span class="soft">({counted(times, 'time')})</span>
        </li>
      ))}
    </ul>
  )
}
