import type { RefObject, VNode } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { PageFacts } from '../../../fixtures/live/messages.ts'
import { number } from '../../counted.ts'
import { useEvents } from '../../page/view/browser.ts'
import { Button, save } from '../../page/view/parts.tsx'
import { Text } from '../../page/view/text.tsx'
import { KEYS } from '../model/filter.ts'
import type { Column, Layout } from './columns.tsx'
import type { LiveState } from './live-state.ts'

/** What is counted, and whether anything still comes. */
export function Top({ live, facts }: { readonly live: LiveState; readonly facts: PageFacts }): VNode {
  const lost = live.standing.ended ? 'ended' : 'ended, or out of reach'
  const state = live.connection === 'lost' ? lost : live.held ? 'paused' : live.connection
  return (
    <header class="top">
      <h1>{facts.title}</h1>
      <Text as="p" kind="target" value={facts.target} most={200} cut />
      <dl>
        {live.counts.map(({ label, value, tone }) => (
          <div key={label} class={value > 0 && tone ? `tone-${tone}` : undefined}>
            <dt>{label}</dt>
            <dd>{number(value)}</dd>
          </div>
        ))}
      </dl>
      <p class={`state ${live.connection}`} role="status">
        {state}
        {live.trouble !== '' && <Text value={`: ${live.trouble}`} most={300} cut />}
      </p>
    </header>
  )
}

interface ToolsProps {
  readonly live: LiveState
  readonly layout: Layout
  readonly follow: boolean
  readonly field: RefObject<HTMLInputElement | null>
  readonly columns: readonly Column[]
  onFollow(follow: boolean): void
  onFilter(text: string): void
  onCompare(): void
}

export function Tools({ live, layout, follow, field, columns, onFollow, onFilter, onCompare }: ToolsProps): VNode {
  const { marks, held } = live
  return (
    <search class="tools">
      <label class="filter">
        <span class="hidden">Filter</span>
        <input
          ref={field}
          type="search"
          placeholder="Filter: status:5xx -method:get title"
          autocomplete="off"
          spellcheck={false}
          value={live.filterText}
          aria-invalid={live.problem !== ''}
          aria-describedby="filter-says"
          onInput={({ currentTarget }) => onFilter(currentTarget.value)}
        />
      </label>
      <Button on={held !== undefined} label={held ? 'Resume' : 'Pause'} press={() => live.pause(held === undefined)} />
      <Button on={follow} label="Follow" press={() => onFollow(!follow)} />
      <Menu title="Columns">
        {columns.map((column) => (
          <label key={column.name}>
            <input type="checkbox" checked={layout.columns.includes(column)} onChange={() => layout.toggle(column)} />{' '}
            {column.title}
          </label>
        ))}
      </Menu>
      <Downloads live={live} />
      {marks.size > 0 && (
        <>
          <Button label="Compare" disabled={marks.size !== 2} press={onCompare} />
          <Button label={`Unmark ${number(marks.size)}`} press={() => live.unmark()} />
        </>
      )}
      <Menu title="Help">
        <Help />
      </Menu>
      <p id="filter-says" class={live.problem === '' ? 'says soft' : 'says problem'} role="status">
        {live.problem === '' ? said(live) : <Text value={live.problem} most={300} cut />}
      </p>
    </search>
  )
}

function said({ rows, filterText, searchedFrom, held = [] }: LiveState): string {
  const all = rows.all.length
  const { missed } = rows
  const waiting = held.reduce((sum, { rows: some }) => sum + some.length, 0)
  const isFiltered = filterText.trim() !== ''
  const oldest = rows.all[0]?.number ?? 0
  return [
    isFiltered ? `${number(rows.shown.length)} of ${number(all)} exchanges` : `${number(all)} exchanges`,
    ...(isFiltered && searchedFrom > oldest ? [`bodies are searched from number ${number(searchedFrom)} on`] : []),
    ...(waiting > 0 ? [`${number(waiting)} wait until you go on`] : []),
    ...(missed > 0 ? [`${number(missed)} more passed too fast to be shown; the recording has them`] : []),
  ].join(' · ')
}

function Menu({ title, children }: { readonly title: string; readonly children: VNode | VNode[] }): VNode {
  const menu = useRef<HTMLDetailsElement>(null)
  useEvents({
    // A press on something else closes it.
    pointerdown({ target }) {
      if (menu.current?.open && !menu.current.contains(target as Node)) menu.current.open = false
    },
  })
  const close = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !menu.current?.open) return
    menu.current.open = false
    menu.current.querySelector('summary')?.focus()
    event.stopPropagation()
  }
  return (
    <details class="menu" ref={menu} onKeyDown={close}>
      <summary>{title}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <div class="panel" tabIndex={0}>
        {children}
      </div>
    </details>
  )
}

function Downloads({ live }: { readonly live: LiveState }): VNode {
  const [said, setSaid] = useState('')
  const marked = live.marks.size
  const what = marked > 0 ? `${number(marked)} marked` : `${number(live.rows.shown.length)} shown`
  const take = async (form: 'har' | 'recording', name: string): Promise<void> => {
    setSaid('…')
    const blob = await live.download(form)
    setSaid(blob ? `Saved as ${name}` : 'assay cannot be reached')
    if (blob) save(blob, name)
  }
  return (
    <Menu title="Download">
      <p>{what}. Those that are no longer in memory are left out.</p>
      <Button label="As HAR" press={() => void take('har', 'selection.har')} />
      <Button label="As recording" press={() => void take('recording', 'exchanges-selection.ndjson')} />
      <p role="status" class="soft">
        {said}
      </p>
    </Menu>
  )
}

const SHORTCUTS: readonly (readonly [keys: string, meaning: string])[] = [
  ['↑ ↓ PgUp PgDn Home End', 'choose an exchange'],
  ['Enter', 'open it'],
  ['Space', 'mark it, for a comparison or a download'],
  ['p', 'pin it'],
  ['c', 'compare the two that are marked'],
  ['f', 'follow the end, or stay'],
  ['s', 'stop and go on'],
  ['/', 'go to the filter'],
  ['Escape', 'close the details'],
]

function Help(): VNode {
  return (
    <div class="help">
      <h2>Filter</h2>
      <p>Every part has to hold. A minus in front turns one round, a comma means any of these, quotes keep blanks.</p>
      <Terms pairs={KEYS.map(([, example, meaning]) => [<code key={example}>{example}</code>, meaning])} />
      <h2>Keys, while the table has the focus</h2>
      <Terms pairs={SHORTCUTS.map(([keys, meaning]) => [<kbd key={keys}>{keys}</kbd>, meaning])} />
    </div>
  )
}

function Terms({ pairs }: { readonly pairs: readonly (readonly [term: VNode, meaning: string])[] }): VNode {
  return (
    <dl>
      {pairs.map(([term, meaning]) => (
        <div key={meaning}>
          <dt>{term}</dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  )
}
