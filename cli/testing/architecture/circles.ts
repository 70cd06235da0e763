/**
 * The circles of a graph. For each set of nodes that can all reach each other: one way round it, from its first node in
 * the alphabet back to it. A node that points at itself is a circle too.
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

/**
 * The graph of the folders in each folder, made from a graph of files: folder -> what stands in it -> what that refers
 * to. A folder within it stands for all that it holds, at whatever depth; `.` stands for the folder's own files.
 */
export function folderGraphs(files: ReadonlyMap<string, readonly string[]>): Map<string, Map<string, string[]>> {
  const graphs = new Map<string, Map<string, string[]>>()
  for (const [from, references] of files) {
    for (const to of references) {
      const [a, b] = [from.split('/'), to.split('/')]
      let depth = 0
      while (depth < Math.min(a.length, b.length) - 1 && a[depth] === b[depth]) depth += 1
      const [source, target] = [partAt(a, depth), partAt(b, depth)]
      if (source === target) continue
      const folder = a.slice(0, depth).join('/')
      const graph = graphs.get(folder) ?? new Map<string, string[]>()
      graphs.set(folder, graph.set(source, [...(graph.get(source) ?? []), target]))
    }
  }
  return graphs
}

/** The folder at this depth of a path; `.` where the file itself stands there. */
function partAt(path: readonly string[], depth: number): string {
  return depth === path.length - 1 ? '.' : (path[depth] ?? '.')
}
