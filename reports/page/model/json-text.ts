const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+|\s+/gsu
const LONGEST = 200_000
const DEEPEST = 200

/** A part of a JSON text. Names and values are as they were written: nothing is lost, doubled names and long numbers neither. */
export interface TreeNode {
  /** name in its object, in quotes */
  readonly name?: string
  /** of what holds nothing: as it was written */
  readonly value?: string
  readonly kind: 'object' | 'array' | 'value'
  readonly children: readonly TreeNode[]
}

/** The tree of a list or an object; undefined of what is no JSON, was cut, is too long or goes too deep. */
export function treeOf(text: string): TreeNode | undefined {
  const tokens = text.length > LONGEST || !/^\s*[[{]/.test(text) ? undefined : tokensOf(text)
  if (!tokens) return undefined
  let at = 0
  const next = (): string | undefined => tokens[at++]

  function read(depth: number, name?: string): TreeNode | undefined {
    const token = next()
    if (token === undefined || depth > DEEPEST || /^[:,}\]]/.test(token)) return undefined
    const named = name === undefined ? {} : { name }
    if (token !== '{' && token !== '[') return { ...named, kind: 'value', value: token, children: [] }
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

/** The tokens of a JSON text, without blanks; undefined where something stands between them that is none. */
function tokensOf(text: string): string[] | undefined {
  const tokens: string[] = []
  let from = 0
  for (const match of text.matchAll(TOKEN)) {
    if (match.index !== from) return undefined
    from += match[0].length
    if (match[0].trim() !== '') tokens.push(match[0])
  }
  return from === text.length ? tokens : undefined
}

/** A line of JSON text that was indented. */
export interface JsonLine {
  /** with its indent */
  readonly text: string
  /** JSON pointer of the value that the line shows, begins or ends */
  readonly pointer: string
}

/**
 * JSON text, indented. Nothing but the blanks between its tokens changes: doubled keys, long numbers and escapes stay
 * as they were sent. A text without a tree stays whole.
 */
export function pretty(text: string): string {
  const lines = jsonLines(text)
  return lines ? lines.map((line) => line.text).join('\n') : text
}

/** The same line by line; undefined of what has no tree. */
export function jsonLines(text: string): JsonLine[] | undefined {
  const root = treeOf(text)
  return root && linesOf(root)
}

function linesOf({ name, value, kind, children }: TreeNode, pointer = '', indent = '', end = ''): JsonLine[] {
  const [open, close] = kind === 'array' ? ['[', ']'] : ['{', '}']
  const begin = `${indent}${name === undefined ? '' : `${name}: `}`
  if (children.length === 0) return [{ text: `${begin}${value ?? open + close}${end}`, pointer }]
  const inner = children.flatMap((child, index) => {
    return linesOf(child, childPointer(pointer, child, index), `${indent}  `, index === children.length - 1 ? '' : ',')
  })
  return [{ text: begin + open, pointer }, ...inner, { text: indent + close + end, pointer }]
}

/** The pointer of a member of a list or object. */
export function childPointer(pointer: string, { name }: TreeNode, index: number): string {
  return `${pointer}/${name === undefined ? index : keyOf(name)}`
}

/** A name in the spelling of a pointer. */
function keyOf(token: string): string {
  let name = token
  try {
    name = String(JSON.parse(token))
  } catch {
    // a text that is not JSON stays unchanged
  }
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Whether a line belongs to a place; `*` in the place stands for any one name. */
export function isAt(pointer: string, place: string): boolean {
  const [parts, wanted] = [pointer.split('/'), place.split('/')]
  return wanted.length <= parts.length && wanted.every((part, index) => part === '*' || part === parts[index])
}
