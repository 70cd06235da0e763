import { figures, type Proof } from './proof.ts'
import type { CaseOutcome } from './prove-case.ts'
import type { MutantOutcome } from './prove-mutant.ts'
import type { VariantOutcome } from './prove-variant.ts'

/** The whole of a proof as Markdown: every mutant with what noticed it, every variant, every case that was tried alone. */
export function markdownOfProof({ summary, mutants, variants, cases, equivalents, threads, seconds }: Proof): string {
  const parts = [
    '# What the suite notices',
    '',
    ...figures(summary).map((line) => `- ${line}`),
    `- ${seconds.toLocaleString('en-US')} s on ${threads} threads`,
    '',
    ...table('Mutants', ['result', 'mutant', 'fault', 'requirement', 'case', 'requests'], mutants.map(mutantRow)),
    ...table(
      'Cases that had to show their worth alone',
      ['result', 'case', 'mutant', 'requirement', 'tried'],
      cases.map(caseRow),
    ),
    ...table(
      'Stated requirements that no mutant turns red',
      ['requirement'],
      summary.untried.map((id) => [id]),
    ),
    ...table('Variants', ['result', 'variant', 'behaviour', 'seed', 'findings', 'requests'], variants.map(variantRow)),
    ...table(
      'Not tried, because no client can tell them apart',
      ['mutant', 'reason'],
      (summary.mutants > 0 ? equivalents : []).map(({ name, reason }) => [name, reason]),
    ),
  ]
  return parts.join('\n')
}

function mutantRow({ result, name, about, requirement, case: by, requests, kills, detail }: MutantOutcome): string[] {
  const fault = detail === '' ? about : `${about} (${detail})`
  return [result, name, fault, requirement || kills.join(', '), by, String(requests)]
}

function caseRow({ result, name, mutant, requirement, tried, detail }: CaseOutcome): string[] {
  return [result, name, detail === '' ? mutant : `${mutant} (${detail})`, requirement, String(tried)]
}

function variantRow({ result, name, about, seed, findings, requests, detail }: VariantOutcome): string[] {
  const found = findings.map(({ requirement, message }) => `${requirement}: ${message}`)
  const all = [...found, ...(detail === '' ? [] : [detail])]
  return [result, name, about, String(seed), all.join('; '), String(requests)]
}

function table(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return []
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`
  return [`## ${title}`, '', line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line), '']
}

/** What a target answered may stand in a finding: it stays text. */
function cell(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .slice(0, 300)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/[\\`*_[\]|~]/g, String.raw`\$&`)
}
