import type { VNode } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { counted, number } from '../../counted.ts'
import { childPointer, type TreeNode, treeOf } from '../model/json-text.ts'
import { Button, Fold, Pre, Printing } from './parts.tsx'
import { Text } from './text.tsx'

/** Levels that are open at first. */
const OPEN = 3
/** Members of a list or object that are shown before somebody asks for more: all, beside what decides, on paper. */
const MOST = { whole: 100, beside: 4, paper: 2 }

interface BodyProps {
  readonly text: string
  /** pointers of the values that decide: in `text`, which is given as a tree where it is JSON */
  readonly marks?: (root: TreeNode) => readonly string[]
  readonly most?: number
}

/** A body: of JSON a tree with what decides marked and in view, of anything else the text. */
export function BodyText({ text, marks = () => [], most }: BodyProps): VNode {
  const root = treeOf(text)
  if (root) return <Tree root={root} marks={marks(root)} />
  return (
    <Pre>
      <Text value={text} lines runs={false} {...(most === undefined ? {} : { most })} />
    </Pre>
  )
}

/** A JSON body whose parts can be opened and closed. */
export function Tree({ root, marks = [] }: { readonly root: TreeNode; readonly marks?: readonly string[] }): VNode {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const [box, mark] = [place.current, place.current?.querySelector<HTMLElement>('.deciding')]
    if (box && mark)
      box.scrollTop = mark.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 3
  }, [])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <div class="tree" ref={place} tabIndex={0}>
      <Node node={root} at={{ pointer: '', depth: 0, marks }} />
    </div>
  )
}

/** Where a node stands, and what is marked in the tree. */
interface At {
  readonly pointer: string
  readonly depth: number
  readonly marks: readonly string[]
}

function Node({ node, at }: { readonly node: TreeNode; readonly at: At }): VNode {
  const { name, value, kind, children } = node
  const isMarked = at.marks.includes(at.pointer)
  const label = name !== undefined && (
    <>
      <Text as="span" kind="name" value={name} most={300} />:{' '}
    </>
  )
  if (kind === 'value' || children.length === 0) {
    return (
      <div class={isMarked ? 'leaf deciding' : 'leaf'}>
        {label}
        <span class={`value ${kindOf(value)}`}>
          {value === undefined ? kind === 'array' ? '[]' : '{}' : <Text value={value} most={1_000} />}
        </span>
      </div>
    )
  }
  const summary = (
    <>
      {label}
      <span class="soft">
        {kind === 'array' ? `[ ${counted(children.length, 'element')} ]` : `{ ${counted(children.length, 'field')} }`}
      </span>
    </>
  )
  const isOpen = at.depth < OPEN || isAbove(at)
  return (
    <Fold open={isOpen} paper={isOpen} kind={isMarked ? 'deciding' : undefined} summary={summary}>
      <Members node={node} at={at} />
    </Fold>
  )
}

/** Whether something below is marked. */
function isAbove({ pointer, marks }: At): boolean {
  return marks.some((mark) => mark.startsWith(`${pointer}/`))
}

/** The members of a list or object; of many those beside what decides. */
function Members({ node: { children }, at }: { readonly node: TreeNode; readonly at: At }): VNode {
  const paper = useContext(Printing)
  const below = children.map(
    (child, index): At => ({ ...at, depth: at.depth + 1, pointer: childPointer(at.pointer, child, index) }),
  )
  const decides = below.findIndex((one) => at.marks.includes(one.pointer) || isAbove(one))
  const most = paper ? MOST.paper : decides < 0 ? MOST.whole : MOST.beside
  const [more, setMore] = useState({ before: 0, after: 0 })
  const [from, to] = decides < 0 ? [0, most] : [Math.max(0, decides - most), decides + most + 1]
  const isShort = children.length <= (paper ? 4 * MOST.paper : 5 * MOST.beside)
  const first = isShort ? 0 : Math.max(0, from - more.before)
  const last = isShort ? children.length : Math.min(children.length, to + more.after)
  const rest = (count: number, side: 'before' | 'after'): VNode | false =>
    count > 0 && (
      <Button
        kind="quiet"
        label={`${number(count)} more`}
        press={() => setMore({ ...more, [side]: 10 * MOST.whole + more[side] })}
      />
    )
  return (
    <div class="members">
      {rest(first, 'before')}
      {children.slice(first, last).map((child, index) => (
        <Node key={first + index} node={child} at={below[first + index] ?? at} />
      ))}
      {rest(children.length - last, 'after')}
    </div>
  )
}

function kindOf(value: string | undefined): string {
  if (value === undefined) return ''
  return value.startsWith('"') ? 'text-value' : 'other-value'
}
