import type { RefObject, VNode } from 'preact'
import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks'
import type { PageBeginning, PageFacts } from '../../../fixtures/live/messages.ts'
import { useEvents } from '../../page/view/browser.ts'
import { placeOf, type Row } from '../model/rows.ts'
import { COLUMNS, useLayout } from './columns.tsx'
import { Details, type Shown } from './details.tsx'
import { Beside } from './findings.tsx'
import { LiveState } from './live-state.ts'
import { reveal, Table } from './table.tsx'
import { Tools, Top } from './tools.tsx'
import { Compare } from './windows.tsx'

const NOT_JUDGED = COLUMNS.filter(({ name }) => name !== 'findings')

interface AppProps {
  readonly facts: PageFacts
  readonly beginning: PageBeginning
}

/** The live page: what is counted, the filter, findings and pins, the table, and the details of one exchange. */
export function App({ facts, beginning }: AppProps): VNode {
  const live = useLive(beginning)
  const grid = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const place = usePlace(live, grid)
  const { chosen, isOpen, follow, over } = place
  const columns = facts.judged ? COLUMNS : NOT_JUDGED
  const layout = useLayout(columns)
  const keys = keysOf(live, place, field)
  return (
    <div class={isOpen ? 'frame with-details' : 'frame'}>
      <Top live={live} facts={facts} />
      <Tools
        {...{ live, layout, follow, field, columns }}
        onFollow={place.setFollow}
        onFilter={(text) => filter(live, text)}
        onCompare={place.compare}
      />
      <main class="main">
        <Beside live={live} judged={facts.judged} onFilter={(text) => filter(live, text)} onOpen={place.goTo} />
        <Table
          {...{ live, layout, chosen, follow, grid }}
          onChoose={place.choose}
          onOpen={place.open}
          onFollow={place.setFollow}
          onKey={keys}
        />
        {isOpen && chosen && <Details live={live} row={chosen} onClose={place.close} />}
      </main>
      {over && <Compare live={live} {...over} onClose={() => place.setOver(undefined)} />}
    </div>
  )
}

/** What passes. Each change is drawn. */
function useLive(beginning: PageBeginning): LiveState {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const live = useMemo(() => new LiveState(beginning, () => redraw(0)), [])
  useEffect(() => {
    live.filter(filterInAddress())
    return live.begin()
  }, [])
  return live
}

/** Where somebody is on the page, and how they get elsewhere. */
function usePlace(live: LiveState, grid: RefObject<HTMLDivElement | null>) {
  const [chosen, choose] = useState<Row>()
  const [isOpen, setOpen] = useState(false)
  const [follow, setFollow] = useState(true)
  const [over, setOver] = useState<{ readonly left: Shown; readonly right: Shown }>()
  const open = (row: Row): void => {
    choose(row)
    setOpen(true)
    setFollow(false)
  }
  const close = (): void => {
    setOpen(false)
    grid.current?.focus()
  }
  const escaped = ({ key }: KeyboardEvent): void => {
    // A window over the page is closed first, by the browser.
    if (key === 'Escape' && isOpen && !document.querySelector('dialog[open]')) close()
  }
  useEvents({ keydown: escaped }, [isOpen])
  return {
    ...{ chosen, isOpen, follow, over, setFollow, setOver, choose, open, close },
    /** Opens a row that may be out of sight. */
    goTo(row: Row): void {
      open(row)
      reveal(grid.current, placeOf(live.rows.shown, row.number))
    },
    compare(): void {
      const [left, right] = live.marks.values()
      if (live.marks.size === 2 && left && right) setOver({ left, right })
    },
  }
}

/** What a key means while the table has the focus. The answer says whether it means anything. */
function keysOf(live: LiveState, place: ReturnType<typeof usePlace>, field: RefObject<HTMLInputElement | null>) {
  return (key: string, row: Row | undefined): boolean => {
    const actions: Readonly<Record<string, (() => void) | undefined>> = {
      '/': () => field.current?.select(),
      f: () => place.setFollow(!place.follow),
      s: () => live.pause(live.held === undefined),
      c: place.compare,
      ...(row && { Enter: () => place.open(row), ' ': () => live.mark(row), p: () => live.pin(row) }),
    }
    actions[key]?.()
    return actions[key] !== undefined
  }
}

/** The filter stands in the address, so that it is there again when the page is. */
function filter(live: LiveState, text: string): void {
  history.replaceState(null, '', text === '' ? location.pathname : `#${encodeURIComponent(text)}`)
  live.filter(text)
}

function filterInAddress(): string {
  try {
    return decodeURIComponent(location.hash.slice(1)) || (new URLSearchParams(location.search).get('filter') ?? '')
  } catch {
    return ''
  }
}
