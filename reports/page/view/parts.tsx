import { type ComponentChildren, type Context, createContext, type VNode } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import type { Verdict } from '../../../schemas/types/report.ts'
import { number } from '../../counted.ts'
import type { Tallied } from '../model/summary.ts'
import { VERDICT_ORDER, VERDICTS } from '../model/words.ts'
import { Prose, Text } from './text.tsx'

/** Whether the page is being printed: paper has room for less. */
export const Printing: Context<boolean> = createContext(false)

interface PartProps {
  /** what links to it name */
  readonly id: string
  readonly title: string
  /** a sentence below the heading */
  readonly lead?: ComponentChildren
  /** paper has no room for it */
  readonly screenOnly?: boolean
  readonly children: ComponentChildren
}

/** A part of the page, with its heading. */
export function Part({ id, title, lead, screenOnly = false, children }: PartProps): VNode {
  return (
    <section id={id} class={screenOnly ? 'part screen-only' : 'part'} tabIndex={-1} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {lead !== undefined && <p class="lead">{lead}</p>}
      {children}
    </section>
  )
}

/** A verdict in colour, sign and word. */
export function VerdictMark({ verdict }: { readonly verdict: Verdict }): VNode {
  return <Mark tone={verdict} {...VERDICTS[verdict]} />
}

/** A sign and a word in one colour. */
export function Mark({ tone, sign, label }: Record<'tone' | 'sign' | 'label', string>): VNode {
  return (
    <span class={`verdict tone-${tone}`}>
      <span class="sign" aria-hidden="true">
        {sign}
      </span>
      {label}
    </span>
  )
}

/** How many requirements have which verdict, as one bar; its words say the same. */
export function StackedBar({ counts }: { readonly counts: Tallied }): VNode {
  const there = VERDICT_ORDER.filter((verdict) => counts[verdict] > 0)
  return (
    <span class="stack" role="img" aria-label={inWords(counts)} title={inWords(counts)}>
      {there.map((verdict) => (
        <span key={verdict} class={`tone-${verdict}`} style={{ flexGrow: counts[verdict] }} />
      ))}
    </span>
  )
}

/** `3 fail, 12 pass` */
export function inWords(counts: Tallied): string {
  return VERDICT_ORDER.filter((verdict) => counts[verdict] > 0)
    .map((verdict) => `${counts[verdict]} ${VERDICTS[verdict].label}`)
    .join(', ')
}

/** The id of a requirement as a link to it. */
export function IdLink({ id, kind }: { readonly id: string; readonly kind?: string }): VNode {
  return (
    <a class={kind} href={`#${encodeURIComponent(id)}`}>
      {id}
    </a>
  )
}

/** Requirements by their ids, beside each other. */
export function IdTags({ ids }: { readonly ids: readonly string[] }): VNode {
  return (
    <span class="tags">
      {ids.map((id) => (
        <IdLink key={id} id={id} kind="tag" />
      ))}
    </span>
  )
}

/** The id of a requirement as a link to it, and what it says. */
export function Statement({ id, text, children }: StatementProps): VNode {
  return (
    <>
      <IdLink id={id} kind="id" />
      {children}
      <Prose as="span" kind="statement" value={text} />
    </>
  )
}

interface StatementProps {
  readonly id: string
  readonly text: string
  /** what stands between the two */
  readonly children?: ComponentChildren
}

interface TextsProps {
  readonly items: readonly string[]
  /** characters that are shown of each */
  readonly most: number
  /** its class */
  readonly kind?: string
}

/** Texts of any origin below each other. */
export function Texts({ items, most, kind = 'plain' }: TextsProps): VNode {
  return (
    <ul class={kind}>
      {items.map((item, index) => (
        <Text key={`${index} ${item}`} as="li" value={item} most={most} />
      ))}
    </ul>
  )
}

/** Text with its breaks. What scrolls has to be reached by keyboard. */
export function Pre({ kind, children }: { readonly kind?: string; readonly children: ComponentChildren }): VNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <pre class={kind} tabIndex={0}>
      {children}
    </pre>
  )
}

interface FoldProps {
  /** its class */
  readonly kind?: string | undefined
  /** at first */
  readonly open?: boolean
  /** the address leads to it, which opens it */
  readonly named?: boolean
  /** all of its kind were opened or closed */
  readonly all?: { readonly open: boolean } | undefined
  /** whether it is printed open; undefined: as it is on the screen */
  readonly paper?: boolean
  readonly summary: ComponentChildren
  readonly children: ComponentChildren
}

/** What is drawn only while it is open: a component as its child is not even asked for what it shows. */
export function Fold({ kind, open = false, named = false, all, paper, summary, children }: FoldProps): VNode {
  const [wanted, setWanted] = useState(all?.open ?? (open || named))
  useEffect(() => {
    if (named) setWanted(true)
  }, [named])
  useEffect(() => {
    if (all) setWanted(all.open)
  }, [all?.open])
  const printed = useContext(Printing) ? paper : undefined
  const isOpen = printed ?? wanted
  return (
    <details
      class={kind}
      open={isOpen}
      onToggle={({ currentTarget }) => {
        if (printed === undefined) setWanted(currentTarget.open)
      }}
    >
      <summary>{summary}</summary>
      {isOpen && children}
    </details>
  )
}

interface SortHeadProps {
  /** its class */
  readonly kind?: string
  readonly sorted: 'ascending' | 'descending' | 'none'
  readonly children: ComponentChildren
  press(): void
}

/** The head of a column that a table can be sorted by. */
export function SortHead({ kind, sorted, children, press }: SortHeadProps): VNode {
  return (
    <th scope="col" class={kind} aria-sort={sorted}>
      <button type="button" onClick={press}>
        {children}
        <span class="arrow" aria-hidden="true">
          {{ ascending: '↑', descending: '↓', none: '' }[sorted]}
        </span>
      </button>
    </th>
  )
}

interface ButtonProps {
  readonly label: string
  readonly kind?: string
  /** for who cannot see it, where the label does not say enough */
  readonly name?: string
  /** of one that stays pressed: whether it is */
  readonly on?: boolean
  readonly disabled?: boolean
  press(): void
}

export function Button({ label, kind, name, on, disabled, press }: ButtonProps): VNode {
  return (
    <button type="button" class={kind} disabled={disabled} aria-pressed={on} aria-label={name} onClick={press}>
      {label}
    </button>
  )
}

/** The first of a list; the rest once somebody asks for it. */
export function useFirst<T>(all: readonly T[], most: number, what = ''): readonly [readonly T[], VNode | null] {
  const [whole, setWhole] = useState(false)
  if (whole || all.length <= most) return [all, null]
  const label = `Show all ${number(all.length)}${what}`
  return [all.slice(0, most), <Button key="more" kind="quiet screen-only" label={label} press={() => setWhole(true)} />]
}

/** Pairs of name and value; those without a value are left out. */
export function Facts({ pairs }: { readonly pairs: readonly (readonly [string, ComponentChildren])[] }): VNode {
  return (
    <dl class="facts">
      {pairs
        .filter(([, value]) => value !== '' && value !== undefined && value !== null && value !== false)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

/** Copies text, and what to say about it for a moment. */
export function useSaid(): readonly [said: string, copy: (what: string, text: string) => void] {
  const [said, setSaid] = useState('')
  const say = (words: string): void => {
    setSaid(words)
    setTimeout(() => setSaid(''), 1500)
  }
  const copy = (what: string, text: string): void => {
    const done = (): void => say(`Copied ${what}`)
    navigator.clipboard.writeText(text).then(done, () => say('The browser does not let it be copied'))
  }
  return [said, copy]
}

/** Saves something as a file. */
export function save(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** A command that can be taken along. */
export function Command({ label, value }: { readonly label: string; readonly value: string }): VNode {
  const [said, copy] = useSaid()
  return (
    <div class="command">
      <div class="command-head">
        <span class="label">{label}</span>
        <Button kind="quiet screen-only" label={said === '' ? 'Copy' : said} press={() => copy('', value)} />
      </div>
      <Pre>
        <Text value={value} lines runs={false} most={4000} />
      </Pre>
    </div>
  )
}
