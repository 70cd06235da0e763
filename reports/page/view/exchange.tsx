import type { VNode } from 'preact'
import { useContext, useState } from 'preact/hooks'
import type { Finding, FindingExchange } from '../../../schemas/types/report.ts'
import { answerOf } from '../../shown-exchange.ts'
import { type Ended, kindOf } from '../../traffic.ts'
import { type Diff, diff, folded } from '../model/diff.ts'
import { decidingPlaces, pathOf } from '../model/finding.ts'
import { pretty, type TreeNode } from '../model/json-text.ts'
import { Button, Pre, Printing } from './parts.tsx'
import { Marked, Text } from './text.tsx'
import { BodyText } from './tree.tsx'

/** The status of an answer, or how the exchange ended. */
export function Answer({ exchange }: { readonly exchange: Ended }): VNode {
  return <Text as="span" kind={`answer ${kindOf(exchange)}`} value={answerOf(exchange)} most={30} cut />
}

export function RequestLine({ exchange }: { readonly exchange: Pick<FindingExchange, 'method' | 'url'> }): VNode {
  return (
    <code class="line">
      <Text as="strong" value={exchange.method} most={20} cut /> <Text value={pathOf(exchange.url)} most={240} cut />
    </code>
  )
}

/** The request that decides, beside its control where there is one, and what tells them apart. */
export function Pair({
  control,
  deciding,
  title = 'The request that decides',
  about,
}: {
  readonly control?: FindingExchange | undefined
  readonly deciding: FindingExchange
  readonly title?: string
  readonly about?: Finding | undefined
}): VNode {
  const paper = useContext(Printing)
  const [whole, setWhole] = useState(false)
  const paths = control && diff(pathOf(control.url), pathOf(deciding.url))
  const bodies = control && shown(diff(pretty(control.requestBody), pretty(deciding.requestBody)), whole, paper)
  const hides = bodies?.right.some((piece) => piece.folded !== undefined) ?? false
  return (
    <div class={control ? 'pair' : 'pair alone'}>
      <Side title={title} exchange={deciding} side="is" {...{ paths, bodies, about }} />
      {control && (
        <Side title="Control: the same with a good value" exchange={control} side="was" {...{ paths, bodies }} />
      )}
      {hides && !paper && (
        <Button kind="quiet whole" label="Show the lines that are the same" press={() => setWhole(true)} />
      )}
    </div>
  )
}

const AROUND = 2

function shown({ left, right }: Diff, whole: boolean, paper: boolean): Diff {
  const around = paper ? 1 : AROUND
  return whole ? { left, right } : { left: folded(left, around), right: folded(right, around) }
}

interface SideProps {
  readonly title: string
  readonly exchange: FindingExchange
  readonly side: 'was' | 'is'
  readonly paths: Diff | undefined
  readonly bodies: Diff | undefined
  readonly about?: Finding | undefined
}

const ON_PAPER = 400
const LONGEST_LINE = 300

function Side({ title, exchange, side, paths, bodies, about }: SideProps): VNode {
  const paper = useContext(Printing)
  const of = (found: Diff | undefined, plain: string, most: number): VNode =>
    found ? (
      <Marked pieces={side === 'was' ? found.left : found.right} side={side} />
    ) : (
      <Text value={plain} lines most={paper ? ON_PAPER : most} cut={paper} />
    )
  return (
    <div class="side">
      <h4>{title}</h4>
      <div class="http">
        <p class="line">
          <code>
            <Text as="strong" value={exchange.method} most={20} cut /> {of(paths, pathOf(exchange.url), LONGEST_LINE)}
          </code>
          <Answer exchange={exchange} />
        </p>
        {exchange.requestBody !== '' &&
          (bodies ? <Pre>{of(bodies, '', 0)}</Pre> : <BodyText text={exchange.requestBody} marks={marksOf(about)} />)}
      </div>
    </div>
  )
}

interface BodyProps {
  readonly title: string
  readonly text: string
  /** what the body decides: its places are marked */
  readonly about?: Finding | undefined
}

export function Body({ title, text, about }: BodyProps): VNode {
  return (
    <div class="body">
      <h5>{title}</h5>
      {text === '' ? <p class="soft nothing">no body</p> : <BodyText text={text} marks={marksOf(about)} />}
    </div>
  )
}

function marksOf(about: Finding | undefined): (root: TreeNode) => readonly string[] {
  return (root) => (about ? decidingPlaces(root, about) : [])
}
