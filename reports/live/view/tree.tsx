import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { counted, number } from '../../counted.ts'
import type { TreeNode } from '../../page/model/json-text.ts'
import { Button, Fold } from '../../page/view/parts.tsx'
import { Text } from '../../page/view/text.tsx'

/** Levels that are open at first, and members of a list or object that are shown before somebody asks for more. */
const OPEN = 3
const MOST = 100

/** A JSON body whose parts can be opened and closed. */
export function Tree({ root }: { readonly root: TreeNode }): VNode {
  return (
    <div class="tree">
      <Node node={root} depth={0} />
    </div>
  )
}

function Node({ node, depth }: { readonly node: TreeNode; readonly depth: number }): VNode {
  const { name, value, kind, children } = node
  const label = name !== undefined && (
    <>
      <Text as="span" kind="name" value={name} most={300} />:{' '}
    </>
  )
  if (kind === 'value' || children.length === 0) {
    return (
      <div class="leaf">
        {label}
        <span class={`value ${kindOf(value)}`}>
          {value === undefined ? kind === 'array' ? '[]' : '{}' : <Text value={value} most={1_000} />}
        </span>
      </div>
    )
  }
  return <Branch node={node} depth={depth} label={label} />
}

function Branch({
  node: { kind, children },
  depth,
  label,
}: {
  readonly node: TreeNode
  readonly depth: number
  readonly label: VNode | false
}): VNode {
  const summary = (
    <>
      {label}
      <span class="soft">
        {kind === 'array' ? `[ ${counted(children.length, 'element')} ]` : `{ ${counted(children.length, 'field')} }`}
      </span>
    </>
  )
  return (
    <Fold open={depth < OPEN} summary={summary}>
      <Members nodes={children} depth={depth + 1} />
    </Fold>
  )
}

function Members({ nodes, depth }: { readonly nodes: readonly TreeNode[]; readonly depth: number }): VNode {
  const [most, setMost] = useState(MOST)
  return (
    <div class="inside">
      {nodes.slice(0, most).map((node, index) => (
        <Node key={index} node={node} depth={depth} />
      ))}
      {nodes.length > most && (
        <Button kind="quiet" label={`${number(nodes.length - most)} more`} press={() => setMost(most * 10)} />
      )}
    </div>
  )
}

function kindOf(value: string | undefined): string {
  if (value === undefined) return ''
  return value.startsWith('"') ? 'text-value' : 'other-value'
}
