import axe from 'axe-core'
import type { Page } from 'playwright-core'

const LEVELS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** The parts of an open page that break WCAG 2.2, level AA, as far as axe can tell, by rule. */
export async function violationsOn(page: Page): Promise<string[]> {
  await page.evaluate(`${axe.source};undefined`)
  const found: { id: string; nodes: { html: string }[] }[] = await page.evaluate(
    `axe.run({ runOnly: ${JSON.stringify(LEVELS)}, resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) })))`,
  )
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`)
}
