import type { VNode } from 'preact'
import { useContext } from 'preact/hooks'
import type { DifferenceGroup, ReplayReport } from '../../../schemas/types/replay.ts'
import { counted, number } from '../../counted.ts'
import { comparedInWords } from '../../replay-words.ts'
import { answersBeside, folded, placesIn } from '../model/diff.ts'
import { Answer } from './exchange.tsx'
import { Fold, Part, Pre, Printing, Texts } from './parts.tsx'
import { Marked, Text } from './text.tsx'

const OPEN_AT_FIRST = 6
/** Groups that are printed with their values; of further ones stands the place. */
const ON_PAPER = 20

/** What differs between the recording and the replay, alike differences together, each with one example. */
export function Differences({ replay }: { readonly replay: ReplayReport }): VNode {
  const { differences, moreDifferences } = replay
  return (
    <Part id="differences" title={`Differences ${number(differences.length)}`} lead={comparedInWords(replay)}>
      {replay.broke !== '' && (
        <p class="reason">
          Broke off: <Text value={replay.broke} most={400} />
        </p>
      )}
      {differences.map((group, index) => (
        <Group key={index} group={group} groups={differences} open={index < OPEN_AT_FIRST} paper={index < ON_PAPER} />
      ))}
      {moreDifferences > 0 && (
        <p class="soft">{counted(moreDifferences, 'difference')} of further kinds are counted in replay.json.</p>
      )}
      <Asides replay={replay} />
    </Part>
  )
}

interface GroupProps {
  readonly group: DifferenceGroup
  readonly groups: readonly DifferenceGroup[]
  readonly open: boolean
  /** whether it is printed with its example */
  readonly paper: boolean
}

function Group({ group, groups, open, paper }: GroupProps): VNode {
  const { operation, pointer, kind, recorded, replayed, count } = group
  const summary = (
    <>
      <Text as="h3" value={operation} most={120} cut />
      <Text as="code" value={pointer === '' ? '(the whole body)' : pointer} most={200} cut />
      <span class="soft">
        {KINDS[kind]}, {counted(count, 'time')}
      </span>
    </>
  )
  return (
    <article class="card tone-warn">
      <Fold open={open} paper={paper} summary={summary}>
        <div class="inside">
          <div class="finding">
            <div class="pair words">
              <Value title="Recorded" text={recorded} />
              <Value title="Now" text={replayed} />
            </div>
            <Example group={group} groups={groups} />
          </div>
        </div>
      </Fold>
    </article>
  )
}

const KINDS: Readonly<Record<DifferenceGroup['kind'], string>> = {
  changed: 'another value',
  missing: 'missing',
  added: 'added',
  order: 'another order',
}

/** One colour for both sides: either may be the right one. */
const SIDE = 'was'

function Value({ title, text }: { readonly title: string; readonly text: string }): VNode {
  return (
    <div class="side">
      <h4>{title}</h4>
      <p>{text === '' ? 'nothing' : <Marked pieces={[{ text, differs: true }]} side={SIDE} />}</p>
    </div>
  )
}

/** One exchange with the difference: both answers side by side, the places that differ marked. */
function Example({ group, groups }: Pick<GroupProps, 'group' | 'groups'>): VNode {
  const { example } = group
  const isPrinted = useContext(Printing)
  const answers = isPrinted ? undefined : answersOf(group, groups)
  return (
    <>
      <p class="place">
        <Text as="code" value={example.request} most={300} cut={isPrinted} />
      </p>
      {example.sent !== undefined && !isPrinted && (
        <Pre kind="sent">
          <Text value={example.sent} most={1000} />
        </Pre>
      )}
      {answers ?? (
        <Text
          as="p"
          kind="soft"
          value={`${example.recorded} in the recording, ${example.replayed} in the evidence`}
          most={200}
          cut
        />
      )}
    </>
  )
}

/** Undefined: only the ids of the answers are known. */
function answersOf(group: DifferenceGroup, groups: GroupProps['groups']): VNode | undefined {
  const { example } = group
  const { recordedAnswer, replayedAnswer } = example
  if (!recordedAnswer || !replayedAnswer) return undefined
  const { left, right } = answersBeside(recordedAnswer.body, replayedAnswer.body, placesIn(group, groups))
  const sides = [
    { title: 'Recorded response', id: example.recorded, answer: recordedAnswer, pieces: left },
    { title: 'Response now', id: example.replayed, answer: replayedAnswer, pieces: right },
  ] as const
  return (
    <div class="pair">
      {sides.map(({ title, id, answer, pieces }) => (
        <div key={title} class="side">
          <h4>{title}</h4>
          <div class="http">
            <p class="line">
              <Text as="span" kind="soft" value={id} most={80} cut />
              <Answer exchange={answer} />
            </p>
            {answer.body === '' ? (
              <p class="soft nothing">no body</p>
            ) : (
              <Pre>
                <Marked pieces={folded(pieces, 2)} side={SIDE} />
              </Pre>
            )}
          </div>
        </div>
      ))}
    </div>
  )
}

/** What was not sent, and what was not carried over. */
function Asides({ replay }: { readonly replay: ReplayReport }): VNode | null {
  const items = [
    ...replay.notSent.map(({ reason, count, example }) => `${number(count)} not sent: ${reason}, such as ${example}`),
    ...replay.notCarried.map(
      ({ operation, pointer, count, value }) =>
        `not carried over: ${operation} ${pointer}, ${value}, used ${counted(count, 'time')}`,
    ),
  ]
  if (items.length === 0) return null
  return <Texts items={items.slice(0, 20)} most={300} kind="plain asides" />
}
