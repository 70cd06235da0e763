import type { ComponentChildren, VNode } from 'preact'
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
        height={HEIGHT}
        label={`Answers in steps of ${duration(traffic.stepMs)}, at most ${most} in one`}
        caption={`steps of ${duration(traffic.stepMs)}, at most ${counted(most, 'response')} in one`}
        spanMs={spanMs}
      >
        {steps.map((step, index) => (
          <Column key={index} step={step} index={index} count={steps.length} most={most} />
        ))}
      </Plot>
      <h3>Error rate over time</h3>
      {errors === 0 ? (
        <p class="empty">No 429, no server error and no lost response at any time.</p>
      ) : (
        <Rates steps={steps} errors={errors} spanMs={spanMs} />
      )}
    </>
  )
}

interface ColumnProps {
  readonly step: Step
  readonly index: number
  readonly count: number
  readonly most: number
}

function Column({ step, index, count, most }: ColumnProps): VNode {
  const width = WIDTH / count
  let top = HEIGHT
  return (
    <g>
      {KINDS.filter((kind) => step.counts[kind] > 0).map((kind) => {
        const height = (step.counts[kind] / most) * (HEIGHT - 2)
        top -= height
        return (
          <rect key={kind} class={kind} x={index * width} y={top} width={Math.max(0.5, width - 0.8)} height={height} />
        )
      })}
    </g>
  )
}

interface RatesProps {
  readonly steps: readonly Step[]
  readonly errors: number
  readonly spanMs: number
}

function Rates({ steps, errors, spanMs }: RatesProps): VNode {
  const most = Math.max(...steps.map(({ errorRate }) => errorRate))
  const width = WIDTH / steps.length
  return (
    <Plot
      height={RATE_HEIGHT}
      label={`Share of 429, server errors and lost responses; at most ${percent(most)}`}
      caption={`${counted(errors, 'error')} in all; at most ${percent(most)} of the responses in a step`}
      spanMs={spanMs}
    >
      {steps.map(({ errorRate }, index) => {
        const height = (errorRate / most) * (RATE_HEIGHT - 2)
        const [x, y] = [index * width, RATE_HEIGHT - height]
        return <rect key={index} class="failed" x={x} y={y} width={Math.max(0.5, width - 0.8)} height={height} />
      })}
    </Plot>
  )
}

interface PlotProps {
  readonly height: number
  readonly label: string
  readonly caption: string
  readonly spanMs: number
  readonly children: ComponentChildren
}

/** Something over the time of the run. */
function Plot({ height, label, caption, spanMs, children }: PlotProps): VNode {
  return (
    <figure class="traffic">
      <svg viewBox={`0 0 ${WIDTH} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
        {children}
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
