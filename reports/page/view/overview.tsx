import type { VNode } from 'preact'
import type { RequirementResult } from '../../../schemas/types/report.ts'
import { number } from '../../counted.ts'
import { formatAddress, WHOLE } from '../model/address.ts'
import { byCategory, byLevel, tally, total } from '../model/summary.ts'
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
