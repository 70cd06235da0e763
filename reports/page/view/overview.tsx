import type { VNode } from 'preact'
import type { RequirementResult } from '../../../schemas/types/report.ts'
import { formatAddress, isFiltered, toggled, type View, WHOLE } from '../model/address.ts'
import { byCategory, byLevel, tally, total } from '../model/summary.ts'
import { LEVEL_ORDER, LEVELS, number, VERDICT_ORDER, VERDICTS } from '../model/words.ts'
import { inWords, Part, ShowAll, StackedBar } from './parts.tsx'
import { Text } from './text.tsx'

interface LegendProps {
  readonly results: readonly RequirementResult[]
  readonly view: View
  readonly found: number
  change(given: Partial<View>): void
}

/** What each verdict means, how often it was given, and at the same time the filter for it. */
export function Legend({ results, view, found, change }: LegendProps): VNode {
  const counts = tally(results)
  return (
    <Part
      id="verdicts"
      title="Verdicts"
      lead={<span class="screen-only">Press one or more to see only these, below and in the table.</span>}
    >
      <div class="legend">
        {VERDICT_ORDER.map((verdict) => (
          <button
            key={verdict}
            type="button"
            class={`tone-${verdict}`}
            aria-pressed={view.verdicts.includes(verdict)}
            onClick={() => change({ verdicts: toggled(view.verdicts, verdict, VERDICT_ORDER) })}
          >
            <span class="count">{number(counts[verdict])}</span>
            <span class="verdict">
              <span class="sign" aria-hidden="true">
                {VERDICTS[verdict].sign}
              </span>
              {VERDICTS[verdict].label}
            </span>
            <span class="means">{VERDICTS[verdict].means}</span>
          </button>
        ))}
      </div>
      <p class="status screen-only" aria-live="polite">
        {isFiltered(view) ? (
          <>
            <a href={formatAddress({ ...view, anchor: 'requirements' })}>
              {number(found)} of {number(results.length)} requirements
            </a>{' '}
            are shown. <ShowAll view={view} change={change} />
          </>
        ) : (
          <>All {number(results.length)} requirements are shown.</>
        )}
      </p>
    </Part>
  )
}

/** Levels and categories as bars. Levels stay apart: what is stated weighs otherwise than what is implied. */
export function Overview({ results }: { readonly results: readonly RequirementResult[] }): VNode {
  return (
    <Part
      id="overview"
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
