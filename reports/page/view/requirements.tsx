import type { VNode } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { RequirementResult } from '../../../schemas/types/report.ts'
import { number } from '../../counted.ts'
import { isFiltered, type Sort, toggled, type View, WHOLE } from '../model/address.ts'
import { LEVEL_ORDER, VERDICT_ORDER, VERDICTS } from '../model/words.ts'
import { EvidenceDetails, EvidenceLine } from './evidence.tsx'
import { Button, Part, SortHead, VerdictMark } from './parts.tsx'
import { Prose, Text } from './text.tsx'

interface RequirementsProps {
  readonly results: readonly RequirementResult[]
  /** those that fit the filters, in order */
  readonly found: readonly RequirementResult[]
  readonly view: View
  change(given: Partial<View>): void
}

/** Rows that are drawn at once; more when somebody comes near the last one. */
const DRAWN = 30

/** Every requirement of the ledger, to search, sort, filter and link to. */
export function Requirements({ results, found, view, change }: RequirementsProps): VNode {
  const end = useRef<HTMLParagraphElement>(null)
  const [most, setMost] = useState(DRAWN)
  const drawn = Math.max(most, found.findIndex(({ id }) => id === view.anchor) + 1)
  useEffect(() => setMost(DRAWN), [view.search])
  useEffect(() => {
    const near = new IntersectionObserver(
      ([seen]) => {
        if (seen?.isIntersecting) setMost((now) => now + DRAWN)
      },
      { rootMargin: '600px' },
    )
    if (end.current && drawn < found.length) near.observe(end.current)
    return () => near.disconnect()
  }, [drawn, found.length])
  return (
    <Part
      id="requirements"
      title="Requirements"
      screenOnly
      lead="All of them, failures first, with the evidence for each."
    >
      <Tools results={results} found={found} view={view} change={change} />
      <table class="requirements">
        <thead>
          <tr>
            {COLUMNS.map(([name, title]) => (
              <Column key={name} name={name} title={title} view={view} change={change} />
            ))}
          </tr>
        </thead>
        <tbody>
          {found.slice(0, drawn).map((result) => (
            <Row key={result.id} result={result} open={view.anchor === result.id} change={change} />
          ))}
        </tbody>
      </table>
      <p ref={end} class="screen-only" />
      {found.length === 0 && (
        <p class="empty">
          Nothing fits. <Button kind="quiet" label="Show all" press={() => change(WHOLE)} />
        </p>
      )}
    </Part>
  )
}

function Tools({ results, found, view, change }: RequirementsProps): VNode {
  const categories = [...new Set(results.map(({ category }) => category))]
  return (
    <search class="tools screen-only">
      <label class="field grow">
        <span class="label">Search</span>
        <input
          type="search"
          value={view.search}
          placeholder="id, words, operation"
          onInput={({ currentTarget }) => change({ search: currentTarget.value })}
        />
      </label>
      <label class="field">
        <span class="label">Category</span>
        <select value={view.category} onChange={({ currentTarget }) => change({ category: currentTarget.value })}>
          <option value="">all</option>
          {categories.map((category) => (
            <option key={category} value={category}>
              {category}
            </option>
          ))}
        </select>
      </label>
      <Chips
        legend="Level"
        names={LEVEL_ORDER}
        chosen={view.levels}
        choose={(level) => change({ levels: toggled(view.levels, level, LEVEL_ORDER) })}
      />
      <Chips
        legend="Verdict"
        names={VERDICT_ORDER}
        chosen={view.verdicts}
        choose={(verdict) => change({ verdicts: toggled(view.verdicts, verdict, VERDICT_ORDER) })}
        words={VERDICTS}
      />
      <p class="found" aria-live="polite">
        {number(found.length)} of {number(results.length)}
        {isFiltered(view) && (
          <>
            {' '}
            <Button
              kind="quiet"
              label="Show all"
              press={() => change({ ...WHOLE, anchor: view.anchor, sort: view.sort })}
            />
          </>
        )}
      </p>
    </search>
  )
}

const COLUMNS: readonly (readonly [Sort, string])[] = [
  ['verdict', 'Verdict'],
  ['id', 'Requirement'],
  ['level', 'Level'],
  ['category', 'Category'],
  ['evidence', 'Evidence, or why there is none'],
]

interface ColumnProps {
  readonly name: Sort
  readonly title: string
  readonly view: View
  change(given: Partial<View>): void
}

/** Pressed: rising, falling, and back to the order at first; from that one, to the order of the specification. */
function Column({ name, title, view, change }: ColumnProps): VNode {
  const own = view.sort === name
  const next = (): Partial<View> => {
    if (!own) return { sort: name, descending: false }
    if (!view.descending) return { descending: true }
    return { sort: name === WHOLE.sort ? 'ledger' : WHOLE.sort, descending: false }
  }
  return (
    <SortHead
      kind={`col-${name}`}
      sorted={own ? (view.descending ? 'descending' : 'ascending') : 'none'}
      press={() => change(next())}
    >
      {title}
    </SortHead>
  )
}

interface RowProps {
  readonly result: RequirementResult
  readonly open: boolean
  change(given: Partial<View>): void
}

/** A row is drawn again only when it opens or closes. */
function Row(props: RowProps): VNode {
  return useMemo(() => <RowOf {...props} />, [props.result, props.open, props.change])
}

function RowOf({ result, open, change }: RowProps): VNode {
  const { id, verdict, level, category, text } = result
  return (
    <>
      <tr id={id} tabIndex={-1} class={open ? 'open' : undefined}>
        <td class="col-verdict">
          <VerdictMark verdict={verdict} />
        </td>
        <td class="col-id">
          <button type="button" class="row" aria-expanded={open} onClick={() => change({ anchor: open ? '' : id })}>
            {id}
          </button>
          <Prose as="span" kind="statement" value={text} />
        </td>
        <td class="col-level">{level}</td>
        <Text as="td" kind="col-category" value={category} most={60} />
        <td class="col-evidence">
          <EvidenceLine result={result} />
        </td>
      </tr>
      {open && (
        <tr class="details">
          <td colSpan={5}>
            <EvidenceDetails result={result} />
          </td>
        </tr>
      )}
    </>
  )
}

interface ChipsProps<Name extends string> {
  readonly legend: string
  readonly names: readonly Name[]
  readonly chosen: readonly Name[]
  choose(name: Name): void
  /** what stands for a name, and its tone */
  readonly words?: Readonly<Record<Name, { readonly label: string }>>
}

function Chips<Name extends string>({ legend, names, chosen, choose, words }: ChipsProps<Name>): VNode {
  return (
    <fieldset class="field">
      <legend class="label">{legend}</legend>
      {names.map((name) => (
        <Button
          key={name}
          kind={words ? `chip tone-${name}` : 'chip'}
          label={words?.[name].label ?? name}
          on={chosen.includes(name)}
          press={() => choose(name)}
        />
      ))}
    </fieldset>
  )
}
