import { tokensOf } from '../../page/model/json-text.ts'

/** A part of a JSON text. Names and values are as they were written: nothing is lost, doubled names and long numbers neither. */
export interface TreeNode {
  /** name in its object, in quotes */
  readonly name?: string
  /** of what holds nothing: as it was written */
  readonly value?: string
  readonly kind: 'object' | 'array' | 'value'
  readonly children: readonly TreeNode[]
}

const DEEPEST = 200

/** The tree of a JSON text; undefined where it is none, was cut, or goes too deep. */
export function treeOf(text: string): TreeNode | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  const tokens = tokensOf(text)
  if (!tokens) return undefined
  let at = 0
  const next = (): string | undefined => tokens[at++]

  function read(depth: number, name?: string): TreeNode | undefined {
    const token = next()
    if (token === undefined || depth > DEEPEST || token === ':' || token === ',') return undefined
    const named = name === undefined ? {} : { name }
    if (token !== '{' && token !== '[') {
      if (token === '}' || token === ']') return undefined
      return { ...named, kind: 'value', value: token, children: [] }
    }
    const isObject = token === '{'
    const close = isObject ? '}' : ']'
    const children: TreeNode[] = []
    const node: TreeNode = { ...named, kind: isObject ? 'object' : 'array', children }
    if (tokens?.[at] === close) {
      at += 1
      return node
    }
    for (;;) {
      const own = isObject ? next() : undefined
      if (isObject && (own?.startsWith('"') !== true || next() !== ':')) return undefined
      const child = read(depth + 1, own)
      if (!child) return undefined
      children.push(child)
      const after = next()
      if (after === close) return node
      if (after !== ',') return undefined
    }
  }

  const root = read(0)
  return at === tokens.length ? root : undefined
}
