import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { RequirementResult } from '../../../schemas/types/report.ts'
import { type OutlineSection, type Section, sectionsOf, tally, worst } from '../model/summary.ts'
import { VERDICTS } from '../model/words.ts'
import { inWords, Part } from './parts.tsx'
import { Text } from './text.tsx'

interface SpecificationProps {
  readonly outline: readonly OutlineSection[]
  readonly results: readonly RequirementResult[]
}

/** The specification's own structure: what became of each of its sentences. */
export function Specification({ outline, results }: SpecificationProps): VNode {
  return (
    <Part
      id="specification"
      screenOnly
      title="By section of the specification"
      lead="Each square is a requirement, in the order of the text. A section has the colour of its heaviest verdict; open it to see its sentences."
    >
      <div class="sections">
        {sectionsOf(outline, results).map((section, index) => (
          <SectionView key={index} section={section} />
        ))}
      </div>
    </Part>
  )
}

function SectionView({ section }: { readonly section: Section }): VNode {
  const [open, setOpen] = useState(false)
  const { title, depth, items, results } = section
  if (items.length === 0) {
    return <Text as="h3" kind={`depth-${Math.min(depth, 2)}`} value={title} most={120} cut />
  }
  return (
    <div class={`section depth-${Math.min(depth, 2)} edge-${worst(results) ?? 'not-run'}`}>
      <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <Text as="h3" value={title} most={120} cut />
          <span class="soft">{inWords(tally(results))}</span>
        </summary>
        {open && (
          <ul class="sentences">
            {items.map(({ about, results: own }, index) => (
              <li key={index}>
                <Text as="span" kind="about" value={about} most={200} />
                <Squares results={own} />
              </li>
            ))}
          </ul>
        )}
      </details>
      {!open && <Squares results={results} />}
    </div>
  )
}

/** By keyboard, the open section leads to the same requirements: four hundred stops fewer on the way to the table. */
function Squares({ results }: { readonly results: readonly RequirementResult[] }): VNode {
  return (
    <span class="squares">
      {results.map(({ id, verdict }) => (
        <a
          key={id}
          class={`square tone-${verdict}`}
          href={`#${encodeURIComponent(id)}`}
          tabIndex={-1}
          title={`${id}: ${VERDICTS[verdict].label}`}
        >
          <span class="hidden">
            {id}: {VERDICTS[verdict].label}
          </span>
          <span aria-hidden="true">{verdict === 'pass' ? '' : VERDICTS[verdict].sign}</span>
        </a>
      ))}
    </span>
  )
}
