import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { OperationStats, Report, SlowExchange } from '../../../schemas/types/report.ts'
import { counted, number } from '../../counted.ts'
import { pathOf } from '../model/finding.ts'
import { barsOf, type Scale, scaleOf } from '../model/plots.ts'
import { duration, moment } from '../model/words.ts'
import { Answer } from './exchange.tsx'
import { Part, SortHead, useFirst } from './parts.tsx'
import { Text } from './text.tsx'
import { TrafficPlots } from './traffic.tsx'

type Order = 'operation' | 'requests' | 'p99Ms'

const SHOWN_AT_FIRST = 20

/** How long answers took, operation by operation, and what went wrong on the way, over time. */
export function Latency({ report }: { readonly report: Report }): VNode {
  const { operations, slowest = [], traffic } = report
  return (
    <Part
      id="latency"
      screenOnly
      title="Latency and errors"
      lead="Nothing here is judged. Times are those of this run, with many requests under way at once, on the machine named below."
    >
      {operations.length === 0 ? <p class="empty">No request was sent.</p> : <Operations operations={operations} />}
      {traffic && <TrafficPlots traffic={traffic} />}
      {slowest.length > 0 && <SlowestTable slowest={slowest} />}
    </Part>
  )
}

function Operations({ operations }: { readonly operations: readonly OperationStats[] }): VNode {
  const [order, setOrder] = useState<Order>('p99Ms')
  const sorted = [...operations].sort((a, b) => (order === 'operation' ? compareNames(a, b) : b[order] - a[order]))
  const [shown, more] = useFirst(sorted, SHOWN_AT_FIRST, ' operations')
  const scale = scaleOf(
    Math.min(...operations.flatMap(({ latencies, p50Ms }) => barsOf(latencies ?? {})[0]?.from ?? p50Ms)),
    Math.max(...operations.map(({ maxMs }) => maxMs)),
  )
  const sorter = (name: Order, label: string): VNode => {
    const direction = name === 'operation' ? 'ascending' : 'descending'
    return (
      <SortHead sorted={name === order ? direction : 'none'} press={() => setOrder(name)}>
        {label}
      </SortHead>
    )
  }
  return (
    <>
      <h3>By operation</h3>
      <p class="legend-line soft">
        On a logarithmic scale from {duration(scale.ticks[0] ?? 0)} to {duration(scale.ticks.at(-1) ?? 0)}. Height: how
        many requests took so long. <span class="tick-key p50">median</span>{' '}
        <span class="tick-key p99">99 of 100 are faster</span>
      </p>
      <table class="operations">
        <thead>
          <tr>
            {sorter('operation', 'Operation')}
            {sorter('requests', 'Requests')}
            <th scope="col" class="plot">
              <span class="hidden">distribution</span>
              <span class="axis" aria-hidden="true">
                {scale.ticks.map((tick) => (
                  <span key={tick} style={{ left: `${100 * scale.at(tick)}%` }}>
                    {duration(tick)}
                  </span>
                ))}
              </span>
            </th>
            <th scope="col">p50</th>
            {sorter('p99Ms', 'p99')}
            <th scope="col">max</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((stats) => (
            <OperationRow key={stats.operation} stats={stats} scale={scale} />
          ))}
        </tbody>
      </table>
      {more && <p class="screen-only">{more}</p>}
    </>
  )
}

interface OperationProps {
  readonly stats: OperationStats
  readonly scale: Scale
}

function OperationRow({ stats, scale }: OperationProps): VNode {
  return (
    <tr>
      <th scope="row">
        <Text value={stats.operation || 'other'} most={80} />
      </th>
      <td>{number(stats.requests)}</td>
      <td class="plot">
        <Distribution stats={stats} scale={scale} />
      </td>
      <td>{duration(stats.p50Ms)}</td>
      <td>{duration(stats.p99Ms)}</td>
      <td>{duration(stats.maxMs)}</td>
    </tr>
  )
}

const WIDTH = 300
const HEIGHT = 26

function Distribution({ stats, scale }: OperationProps): VNode {
  const bars = barsOf(stats.latencies ?? {})
  const most = Math.max(1, ...bars.map(({ count }) => count))
  const x = (ms: number): number => Math.round(scale.at(ms) * WIDTH * 10) / 10
  const words = `${counted(stats.requests, 'request')}, median ${duration(stats.p50Ms)}, 99th percentile ${duration(stats.p99Ms)}`
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={words}>
      {scale.ticks.map((tick) => (
        <line key={tick} class="grid" x1={x(tick)} x2={x(tick)} y1={0} y2={HEIGHT} />
      ))}
      {bars.map(({ from, to, count }) => {
        // what happened once is still seen beside what happened a thousand times
        const height = count === 0 ? 0 : Math.max(1.5, Math.sqrt(count / most) * (HEIGHT - 2))
        return (
          <rect
            key={from}
            class="column"
            x={x(from)}
            y={HEIGHT - height}
            width={Math.max(1, x(to) - x(from) - 0.6)}
            height={height}
          />
        )
      })}
      <line class="p50" x1={x(stats.p50Ms)} x2={x(stats.p50Ms)} y1={0} y2={HEIGHT} />
      <line class="p99" x1={x(stats.p99Ms)} x2={x(stats.p99Ms)} y1={0} y2={HEIGHT} />
    </svg>
  )
}

function SlowestTable({ slowest }: { readonly slowest: readonly SlowExchange[] }): VNode {
  return (
    <>
      <h3>Slowest exchanges</h3>
      <table class="slowest">
        <thead>
          <tr>
            {['Took', 'Answer', 'Request', 'Case', 'Began'].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {slowest.map((exchange, index) => (
            <tr key={index}>
              <td>{duration(exchange.ms)}</td>
              <td>
                <Answer exchange={exchange} />
              </td>
              <td>
                <code>
                  <Text as="strong" value={exchange.method} most={20} />{' '}
                  <Text value={pathOf(exchange.url)} most={120} />
                </code>
              </td>
              <Text as="td" value={exchange.case || exchange.operation} most={80} />
              <td class="soft" title={exchange.startedAt}>
                {moment(exchange.startedAt).slice(11)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

function compareNames(a: OperationStats, b: OperationStats): number {
  return a.operation < b.operation ? -1 : 1
}
