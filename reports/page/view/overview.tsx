import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { RequirementResult } from '../../../schemas/types/report.ts'
import { number } from '../../counted.ts'
import { formatAddress, WHOLE } from '../model/address.ts'
import {
  byCategory,
  byLevel,
  type OutlineSection,
  type Section,
  sectionsOf,
  tally,
  total,
  worst,
} from '../model/summary.ts'
import { LEVEL_ORDER, LEVELS, VERDICT_ORDER, VERDICTS } from '../model/words.ts'
import { inWords, Part, StackedBar, VerdictMark } from './parts.tsx'
import { Text } from './text.tsx'

/** What each verdict means; each leads to its requirements. */
export function Legend({ results }: { readonly results: readonly RequirementResult[] }): VNode {
  const counts = tally(results)
  return (
    <Part id="verdicts" title="What the verdicts mean" screenOnly>
      <ul class="legend">
        {VERDICT_ORDER.map((verdict) => (
          <li key={verdict} class={`tone-${verdict}`}>
            <a href={formatAddress({ ...WHOLE, anchor: 'requirements', verdicts: [verdict] })}>
              <VerdictMark verdict={verdict} /> <span class="count">{number(counts[verdict])}</span>
            </a>
            <span class="means">{VERDICTS[verdict].means}</span>
          </li>
        ))}
      </ul>
    </Part>
  )
}

/** Levels and categories as bars. Levels stay apart: what is stated weighs otherwise than what is implied. */
export function Overview({ results }: { readonly results: readonly RequirementResult[] }): VNode {
  return (
    <Part
      id="overview"
      screenOnly
      title="Levels and categories"
      lead="Levels are never added up: a broken stated requirement is a failure, a broken implied one a warning. Each bar leads to its requirements."
    >
      <ul class="levels">
        {[...byLevel(results)].map(([level, counts]) => (
          <li key={level}>
            <a href={formatAddress({ ...WHOLE, anchor: 'requirements', levels: [level] })}>
              <span class="what">
                <strong>{level}</strong> <span class="soft">{LEVELS[level]}</span>
              </span>
              <StackedBar counts={counts} />
              <span class="soft words">{inWords(counts)}</span>
            </a>
          </li>
        ))}
      </ul>
      <table class="matrix">
        <thead>
          <tr>
            <th scope="col">Category</th>
            {LEVEL_ORDER.map((level) => (
              <th key={level} scope="col">
                {level}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {byCategory(results).map(({ category, levels }) => (
            <tr key={category}>
              <th scope="row">
                <a href={formatAddress({ ...WHOLE, anchor: 'requirements', category })}>
                  <Text value={category} most={100} cut />
                </a>
              </th>
              {LEVEL_ORDER.map((level) => {
                const counts = levels.get(level)
                return (
                  <td key={level} data-label={level} class={counts ? undefined : 'none'}>
                    {counts && (
                      <a href={formatAddress({ ...WHOLE, anchor: 'requirements', levels: [level], category })}>
                        <StackedBar counts={counts} />
                        <span class="total">{number(total(counts))}</span>
                      </a>
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Part>
  )
}

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
