import type { VNode } from 'preact'
import type { Traffic } from '../../../schemas/types/report.ts'
import { counted, number } from '../../counted.ts'
import { KINDS } from '../../traffic.ts'
import { KIND_WORDS, type Step, stepsOf, sums } from '../model/plots.ts'
import { duration } from '../model/words.ts'

const WIDTH = 720
const HEIGHT = 110
const RATE_HEIGHT = 48

/** How answers turned out over the time of the run, and the share of errors among them. */
export function TrafficPlots({ traffic }: { readonly traffic: Traffic }): VNode {
  const steps = stepsOf(traffic)
  const all = sums(steps)
  const errors = all.limited + all.failed + all.lost
  const most = Math.max(1, ...steps.map(({ total }) => total))
  const worst = Math.max(...steps.map(({ errorRate }) => errorRate))
  const spanMs = steps.length * traffic.stepMs
  return (
    <>
      <h3>Answers over time</h3>
      <p class="legend-line soft">
        {KINDS.filter((kind) => all[kind] > 0).map((kind) => (
          <span key={kind} class={`key ${kind}`}>
            {KIND_WORDS[kind]}: {number(all[kind])}
          </span>
        ))}
      </p>
      <Plot
        {...{ steps, spanMs }}
        height={HEIGHT}
        label={`Answers in steps of ${duration(traffic.stepMs)}, at most ${most} in one`}
        caption={`steps of ${duration(traffic.stepMs)}, at most ${counted(most, 'response')} in one`}
        stack={({ counts }) => KINDS.filter((kind) => counts[kind] > 0).map((kind) => [kind, counts[kind] / most])}
      />
      <h3>Error rate over time</h3>
      {errors === 0 ? (
        <p class="empty">No 429, no server error and no lost response at any time.</p>
      ) : (
        <Plot
          {...{ steps, spanMs }}
          height={RATE_HEIGHT}
          label={`Share of 429, server errors and lost responses; at most ${percent(worst)}`}
          caption={`${counted(errors, 'error')} in all; at most ${percent(worst)} of the responses in a step`}
          stack={({ errorRate }) => [['failed', errorRate / worst]]}
        />
      )}
    </>
  )
}

interface PlotProps {
  readonly steps: readonly Step[]
  readonly spanMs: number
  readonly height: number
  readonly label: string
  readonly caption: string
  /** what stands on each other in a step: how it is painted, and its share of the height */
  stack(step: Step): readonly (readonly [kind: string, share: number])[]
}

/** Something over the time of the run, a column for each step. */
function Plot({ steps, spanMs, height, label, caption, stack }: PlotProps): VNode {
  const width = WIDTH / steps.length
  return (
    <figure class="traffic">
      <svg viewBox={`0 0 ${WIDTH} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
        {steps.map((step, index) => {
          let top = height
          const rects = stack(step).map(([kind, share]) => {
            const tall = share * (height - 2)
            top -= tall
            return (
              <rect
                key={kind}
                class={kind}
                x={index * width}
                y={top}
                width={Math.max(0.5, width - 0.8)}
                height={tall}
              />
            )
          })
          return <g key={index}>{rects}</g>
        })}
      </svg>
      <figcaption class="soft">
        <span>0 s</span>
        <span>{caption}</span>
        <span>{duration(spanMs)}</span>
      </figcaption>
    </figure>
  )
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10} %`
}
