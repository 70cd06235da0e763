import { readFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'

/** Puts each text between `<!-- name -->` and `<!-- /name -->`. Throws where a page has no such place. */
export function fill(page: string, texts: ReadonlyMap<string, string>): string {
  let filled = page
  for (const [name, text] of texts) {
    const [first, last] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
    const [from, to] = [filled.indexOf(first), filled.indexOf(last)]
    if (from < 0 || to < from) throw new Error(`the page has no place ${first} … ${last}`)
    filled = `${filled.slice(0, from + first.length)}\n${text.trim()}\n${filled.slice(to)}`
  }
  return filled
}

/** When and on what something was measured, in one line. `home`: folder of the benchmark. */
export function machine(home: string): string {
  const { version } = JSON.parse(readFileSync(join(home, '..', 'package.json'), 'utf8')) as { version: string }
  const [cpu] = cpus()
  const memory = (totalmem() / 2 ** 30).toFixed(0)
  return [
    new Date().toISOString().slice(0, 10),
    `assay ${version}`,
    `Node ${process.versions.node}`,
    `${cpus().length} × ${cpu?.model.trim() || 'unknown processor'}`,
    `${memory} GB`,
    `${process.platform} ${process.arch}`,
  ].join(', ')
}
