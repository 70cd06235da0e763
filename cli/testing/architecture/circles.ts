/**
 * The circles of a graph: for each set of nodes that can all reach each other, one way round it, from its first node in
 * the order of the alphabet back to it. A node that points at itself is a circle too.
 */
export function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = []
  const found = new Set<string>()
  for (const node of [...graph.keys()].sort()) {
    if (found.has(node)) continue
    const way = wayBack(graph, node)
    if (way === undefined) continue
    for (const member of way) found.add(member)
    circles.push(way)
  }
  return circles
}

/** The shortest way from `start` back to it, breadth first. */
function wayBack(graph: ReadonlyMap<string, readonly string[]>, start: string): string[] | undefined {
  const cameFrom = new Map<string, string>()
  let edge = [start]
  while (edge.length > 0) {
    const next: string[] = []
    for (const node of edge) {
      for (const to of graph.get(node) ?? []) {
        if (to === start) return [...walked(cameFrom, start, node), start]
        if (cameFrom.has(to)) continue
        cameFrom.set(to, node)
        next.push(to)
      }
    }
    edge = next
  }
  return undefined
}

function walked(cameFrom: ReadonlyMap<string, string>, start: string, last: string): string[] {
  const way = [last]
  for (let node = last; node !== start; ) {
    node = cameFrom.get(node) ?? start
    way.unshift(node)
  }
  return way
}
