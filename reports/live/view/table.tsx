// biome-ignore-all lint/a11y/useSemanticElements: a table of HTML cannot draw the rows in sight alone
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and says which of its rows is meant
import type { ComponentChildren, RefObject, VNode } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Text } from '../../page/view/text.tsx'
import { placeOf, type Row } from '../model/rows.ts'
import { type Column, type Layout, templateOf } from './columns.tsx'
import type { LiveState } from './live-state.ts'

/** Height of a row in pixels: the same for all, so that those in sight follow from how far was scrolled. */
const ROW = 26
/** Rows that are drawn above and below those in sight. */
const BESIDE = 8

interface TableProps {
  readonly live: LiveState
  readonly layout: Layout
  readonly chosen: Row | undefined
  readonly follow: boolean
  readonly grid: RefObject<HTMLDivElement | null>
  onChoose(row: Row): void
  onOpen(row: Row): void
  onFollow(follow: boolean): void
  onKey(key: string, row: Row | undefined): boolean
}

/** All exchanges that the filter shows; those in sight are drawn. */
export function Table(props: TableProps): VNode {
  const { live, layout, chosen, follow, grid } = props
  const { shown } = live.rows
  const view = useScroll(props)
  // A user who follows sees the end, before the browser has scrolled there.
  const top = follow ? (shown.length + 1) * ROW - view.height : view.top
  const first = Math.max(0, Math.floor(top / ROW) - BESIDE)
  const count = Math.ceil(view.height / ROW) + 2 * BESIDE
  const drawn = shown.slice(first, first + count)
  const keyed = (event: KeyboardEvent): void => {
    const moved = movedBy(event.key, Math.floor(view.height / ROW) - 2)
    const at = chosen ? placeOf(shown, chosen.number) : follow ? shown.length : -1
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (moved !== undefined && shown.length > 0) {
      const to = Math.max(0, Math.min(shown.length - 1, at + moved))
      event.preventDefault()
      props.onFollow(to === shown.length - 1)
      props.onChoose(shown[to] as Row)
      reveal(grid.current, to)
    } else if (event.target === grid.current && props.onKey(event.key, chosen)) event.preventDefault()
  }
  return (
    <div
      class="grid"
      role="grid"
      ref={grid}
      tabIndex={0}
      aria-label="Exchanges"
      aria-rowcount={shown.length + 1}
      aria-multiselectable="true"
      aria-activedescendant={chosen && drawn.includes(chosen) ? `row-${chosen.number}` : undefined}
      style={{ '--columns': templateOf(layout) }}
      onKeyDown={keyed}
    >
      <Head layout={layout} />
      <div class="rows" role="rowgroup" style={{ height: `${shown.length * ROW}px` }}>
        {drawn.map((row, index) => (
          <Line
            key={(first + index) % count}
            row={row}
            at={first + index}
            columns={layout.columns}
            isChosen={row === chosen}
            isMarked={live.marks.has(row.id)}
            isPinned={live.pins.has(row.id)}
            onPress={(event) => {
              if (event.ctrlKey || event.metaKey) live.mark(row)
              else props.onOpen(row)
            }}
          />
        ))}
      </div>
    </div>
  )
}

/** Keeps the end in sight while somebody follows, and what is read in its place while nobody does. */
function useScroll({ live, grid, follow, onFollow }: TableProps) {
  const [view, setView] = useState({ top: 0, height: 600 })
  const gone = useRef(0)
  const { rows } = live
  useLayoutEffect(() => {
    const place = grid.current
    if (!place) return
    if (follow) place.scrollTop = place.scrollHeight
    else if (rows.gone > gone.current) place.scrollTop -= (rows.gone - gone.current) * ROW
    gone.current = rows.gone
  })
  useEffect(() => {
    const place = grid.current
    if (!place) return
    const seen = (): void => setView({ top: place.scrollTop, height: place.clientHeight })
    let before = { top: 0, all: 0 }
    const scrolled = (): void => {
      const { scrollTop: top, scrollHeight: all, clientHeight: height } = place
      // New rows move the end away, and a filter brings it near; only who scrolls up stops following.
      if (top + height >= all - ROW / 2) onFollow(true)
      else if (top < before.top && all === before.all) onFollow(false)
      before = { top, all }
      seen()
    }
    const sizes = new ResizeObserver(seen)
    sizes.observe(place)
    place.addEventListener('scroll', scrolled, { passive: true })
    return () => {
      sizes.disconnect()
      place.removeEventListener('scroll', scrolled)
    }
  }, [])
  return view
}

function Head({ layout }: { readonly layout: Layout }): VNode {
  return (
    <div class="head" role="rowgroup">
      <div class="row" role="row" aria-rowindex={1}>
        {layout.columns.map((column) => (
          <div key={column.name} role="columnheader" class={`cell ${column.name}`}>
            {column.title}
            <Handle column={column} layout={layout} />
          </div>
        ))}
      </div>
    </div>
  )
}

const STEP = 16

/** Makes a column wider or smaller, with the pointer or by arrow keys. */
function Handle({ column, layout }: { readonly column: Column; readonly layout: Layout }): VNode {
  const width = layout.widths[column.name] ?? column.width
  const drag = (event: PointerEvent): void => {
    const handle = event.currentTarget as HTMLElement
    const from = event.clientX
    const begin = handle.parentElement?.clientWidth ?? width
    const move = ({ clientX }: PointerEvent): void => layout.size(column, begin + clientX - from)
    handle.setPointerCapture(event.pointerId)
    handle.addEventListener('pointermove', move)
    handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', move), { once: true })
    event.preventDefault()
  }
  const key = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowLeft' ? -STEP : event.key === 'ArrowRight' ? STEP : 0
    if (by === 0) return
    layout.size(column, ((event.currentTarget as HTMLElement).parentElement?.clientWidth ?? width) + by)
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <span
      class="handle"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={`Width of ${column.title}`}
      aria-valuenow={Math.round(width)}
      aria-valuemin={column.least}
      aria-valuemax={2000}
      onPointerDown={drag}
      onKeyDown={key}
    />
  )
}

interface LineProps {
  readonly row: Row
  /** its place among those that are shown */
  readonly at: number
  readonly columns: readonly Column[]
  readonly isChosen: boolean
  readonly isMarked: boolean
  readonly isPinned: boolean
  onPress(event: MouseEvent): void
}

function Line({ row, at, columns, isChosen, isMarked, isPinned, onPress }: LineProps): VNode {
  // Unchanged rows are not drawn again, however often others come.
  return useMemo(() => {
    const tone = row.findings.length === 0 ? '' : row.findings.some(([, failure]) => failure === 1) ? 'fail' : 'warn'
    const kind = ['row', tone, isChosen && 'chosen', isMarked && 'marked', isPinned && 'pinned']
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the grid takes the keys for all of its rows
      <div
        id={`row-${row.number}`}
        class={kind.filter(Boolean).join(' ')}
        role="row"
        aria-rowindex={at + 2}
        aria-selected={isMarked}
        style={{ transform: `translateY(${at * ROW}px)` }}
        onClick={onPress}
      >
        {columns.map((column, index) => (
          <div key={column.name} role="gridcell" class={`cell ${column.name} ${column.tone?.(row) ?? ''}`}>
            {index === 0 && (isMarked || isPinned) && (
              <span class="signs">
                <span aria-hidden="true">
                  {isMarked && '✓'}
                  {isPinned && '▪'}
                </span>
                <span class="hidden">{[isMarked && 'marked', isPinned && 'pinned'].filter(Boolean).join(', ')}</span>
              </span>
            )}
            {cellOf(column.draw(row))}
          </div>
        ))}
      </div>
    )
  }, [row, at, columns, isChosen, isMarked, isPinned])
}

/** What can be nothing but itself. */
const PLAIN = /^[ -~]*$/

function cellOf(text: string): ComponentChildren {
  return PLAIN.test(text) ? text : <Text value={text} runs={false} most={320} cut />
}

function movedBy(key: string, page: number): number | undefined {
  return { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[key]
}

/** Scrolls as little as brings the row of a place into sight, below the head. */
export function reveal(place: HTMLDivElement | null, at: number): void {
  if (!place) return
  const top = at * ROW
  if (top < place.scrollTop) place.scrollTop = top
  else place.scrollTop = Math.max(place.scrollTop, top + 2 * ROW - place.clientHeight)
}
