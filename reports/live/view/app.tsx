import type { VNode } from 'preact'
import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks'
import type { PageFacts } from '../../../fixtures/live/messages.ts'
import type { Row } from '../model/rows.ts'
import { COLUMNS, useLayout } from './columns.tsx'
import { Compare } from './compare.tsx'
import { Details } from './details.tsx'
import { Beside } from './findings.tsx'
import { LiveState } from './live-state.ts'
import { revealRow, Table } from './table.tsx'
import { Tools, Top } from './tools.tsx'

const NOT_JUDGED = COLUMNS.filter(({ name }) => name !== 'findings')

/** The live page: what is counted, the filter, findings and pins, the table, and the details of one exchange. */
export function App({ facts }: { readonly facts: PageFacts }): VNode {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const live = useMemo(() => new LiveState(() => redraw(0)), [])
  const [chosen, setChosen] = useState<Row>()
  const [isOpen, setOpen] = useState(false)
  const [follow, setFollow] = useState(true)
  const [compared, setCompared] = useState<readonly [Row, Row]>()
  const columns = facts.judged ? COLUMNS : NOT_JUDGED
  const layout = useLayout(columns)
  const grid = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    live.filter(filterInAddress())
    return live.begin()
  }, [])
  const filter = (text: string): void => {
    history.replaceState(null, '', text === '' ? location.pathname : `#${encodeURIComponent(text)}`)
    live.filter(text)
  }
  const open = (row: Row): void => {
    setChosen(row)
    setOpen(true)
    setFollow(false)
  }
  const close = (): void => {
    setOpen(false)
    grid.current?.focus()
  }
  useEffect(() => {
    const escaped = ({ key }: KeyboardEvent): void => {
      // A window over the page is closed first, by the browser.
      if (key === 'Escape' && isOpen && !document.querySelector('dialog[open]')) close()
    }
    addEventListener('keydown', escaped)
    return () => removeEventListener('keydown', escaped)
  }, [isOpen])
  const compare = (): void => {
    const [left, right] = live.marks.values()
    if (live.marks.size === 2 && left && right) setCompared([left, right])
  }
  const pressed = (key: string, row: Row | undefined): boolean => {
    const actions: Readonly<Record<string, (() => void) | undefined>> = {
      '/': () => field.current?.select(),
      f: () => setFollow(!follow),
      s: () => live.pause(live.held === undefined),
      c: compare,
      ...(row && { Enter: () => open(row), ' ': () => live.mark(row), p: () => live.pin(row) }),
    }
    actions[key]?.()
    return actions[key] !== undefined
  }
  return (
    <div class={isOpen ? 'frame with-details' : 'frame'}>
      <Top live={live} facts={facts} />
      <Tools {...{ live, layout, follow, field, columns }} onFollow={setFollow} onFilter={filter} onCompare={compare} />
      <main class="main">
        <Beside
          live={live}
          judged={facts.judged}
          onFilter={filter}
          onOpen={(row) => {
            open(row)
            revealRow(grid.current, live.rows.shown, row)
          }}
        />
        <Table
          {...{ live, layout, chosen, follow, grid }}
          onChoose={setChosen}
          onOpen={open}
          onFollow={setFollow}
          onKey={pressed}
        />
        {isOpen && chosen && <Details live={live} row={chosen} onResend={undefined} onClose={close} />}
      </main>
      {compared && (
        <Compare
          live={live}
          left={compared[0]}
          right={compared[1]}
          title="Two exchanges"
          onClose={() => setCompared(undefined)}
        />
      )}
    </div>
  )
}

function filterInAddress(): string {
  try {
    return decodeURIComponent(location.hash.slice(1))
  } catch {
    return ''
  }
}
