import type { ComponentChildren, VNode } from 'preact'
import { useState } from 'preact/hooks'
import { number } from '../../counted.ts'
import { prefix } from '../../text.ts'
import type { Piece } from '../model/diff.ts'
import { type Segment, segmentsOf } from '../model/shown-text.ts'

interface TextProps {
  readonly value: string
  /** an element of its own around it, and the class of that */
  readonly as?: 'code' | 'dd' | 'dt' | 'h3' | 'li' | 'p' | 'span' | 'strong' | 'td' | undefined
  readonly kind?: string | undefined
  /** breaks of lines stay */
  readonly lines?: boolean
  /** runs of one character are counted, not shown */
  readonly runs?: boolean
  /** characters that are shown before somebody asks for more */
  readonly most?: number
  /** nobody can ask for more: inside links and what else can be pressed */
  readonly cut?: boolean
}

const MOST = 3000

/** Text of any origin: isolated, with everything that could act on it made visible, and cut where it is long. */
export function Text({ value, as: Around, kind, lines = false, runs = true, most = MOST, cut }: TextProps): VNode {
  const [whole, setWhole] = useState(false)
  const shown = whole || value.length <= most * 1.1 ? value : prefix(value, most)
  const rest = value.length - shown.length
  const text = (
    <bdi dir="ltr" class="text">
      {segmentsOf(shown, lines, runs).map(segment)}
      {rest > 0 && cut && '…'}
      {rest > 0 && !cut && (
        <button type="button" class="more" onClick={() => setWhole(true)}>
          {number(rest)} more characters
        </button>
      )}
    </bdi>
  )
  return Around ? <Around class={kind}>{text}</Around> : text
}

/** A statement of the ledger: the parts between backticks are code. */
export function Prose({ value, as: Around, kind }: Pick<TextProps, 'value' | 'as' | 'kind'>): ComponentChildren {
  const parts = value.split('`')
  if (parts.length % 2 === 0) return <Text value={value} as={Around} kind={kind} />
  const shown = parts.map((part, index) =>
    part === '' ? null : <Text key={index} as={index % 2 === 0 ? undefined : 'code'} value={part} />,
  )
  return Around ? <Around class={kind}>{shown}</Around> : shown
}

interface LinkedProps {
  readonly value: string
  readonly ids: ReadonlySet<string>
  /** those that have a card */
  readonly broken: ReadonlySet<string>
}

/** Text in which every id that is known leads to its card, or else to its requirement. */
export function Linked({ value, ids, broken }: LinkedProps): VNode {
  const parts = value.split(/([A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+)/)
  return (
    <>
      {parts.map((part, index) =>
        ids.has(part) ? (
          <a key={index} href={`#${broken.has(part) ? 'finding-' : ''}${encodeURIComponent(part)}`}>
            {part}
          </a>
        ) : (
          part !== '' && <Text key={index} value={part} most={600} />
        ),
      )}
    </>
  )
}

/** One side of a comparison, with what the other side lacks marked. */
export function Marked({ pieces, side }: { readonly pieces: readonly Piece[]; readonly side: 'was' | 'is' }): VNode {
  return (
    <bdi dir="ltr" class="text">
      {pieces.map(({ text, differs, folded }, index) =>
        folded !== undefined ? (
          <span key={index} class="folded">
            {number(folded)} lines the same
          </span>
        ) : differs ? (
          <mark key={index} class={side}>
            {segmentsOf(text).map(segment)}
          </mark>
        ) : (
          <span key={index}>{segmentsOf(text).map(segment)}</span>
        ),
      )}
    </bdi>
  )
}

function segment(piece: Segment, key: number): ComponentChildren {
  switch (piece.kind) {
    case 'plain':
      return piece.text
    case 'acting':
      return (
        <span key={key} class="acting" title="characters that are not shown as they are">
          {piece.text}
        </span>
      )
    case 'run':
      return (
        <span key={key}>
          {piece.text}
          <span class="run" title={`${number(piece.count)} times the same character`}>
            …×{number(piece.count)}
          </span>
        </span>
      )
  }
}
