interface Node<V> {
  readonly key: string
  value: V
  older: Node<V> | undefined
  newer: Node<V> | undefined
}

/**
 * Values by key, in the order in which they were last asked for. To ask for one moves two pointers. A map whose entries
 * are taken out and put in again grows for that, and has to be made anew again and again.
 */
export class Newest<V> {
  private readonly nodes: Map<string, Node<V>> = new Map()
  private oldest: Node<V> | undefined = undefined
  private newest: Node<V> | undefined = undefined

  get size(): number {
    return this.nodes.size
  }

  /** The value of a key, which is the newest from now on; `make`: of one that is not known. */
  of(key: string, make: () => V): V {
    const known = this.nodes.get(key)
    if (known) {
      if (known !== this.newest) {
        this.unlink(known)
        this.append(known)
      }
      return known.value
    }
    const node: Node<V> = { key, value: make(), older: undefined, newer: undefined }
    this.nodes.set(key, node)
    this.append(node)
    return node.value
  }

  /** The value of a key, where it is known; it stays as old as it was. */
  find(key: string): V | undefined {
    return this.nodes.get(key)?.value
  }

  /** Takes out the oldest one. */
  forgetOldest(): V | undefined {
    const { oldest } = this
    if (!oldest) return undefined
    this.unlink(oldest)
    this.nodes.delete(oldest.key)
    return oldest.value
  }

  /** The oldest first. */
  values(): V[] {
    const all: V[] = []
    for (let node = this.oldest; node; node = node.newer) all.push(node.value)
    return all
  }

  clear(): void {
    this.nodes.clear()
    this.oldest = undefined
    this.newest = undefined
  }

  private append(node: Node<V>): void {
    node.older = this.newest
    node.newer = undefined
    if (this.newest) this.newest.newer = node
    else this.oldest = node
    this.newest = node
  }

  private unlink(node: Node<V>): void {
    if (node.older) node.older.newer = node.newer
    else this.oldest = node.newer
    if (node.newer) node.newer.older = node.older
    else this.newest = node.older
  }
}
