/** The figures as a page. */
export function rendered({ note, peer, seed, seconds, settings, mutants, reference, variants, all }) {
  const lines = [
    '# The same faults, given to another tester',
    '',
    '`node bench/peers/schemathesis.mjs` writes this page. It starts the reference target with one deliberate fault after',
    'the other, and runs two testers against it. One is assay. The other is',
    '[Schemathesis](https://schemathesis.readthedocs.io), which tests any API by its OpenAPI document. Here it gets the',
    'document of `assay openapi`, with schemas, examples, security, and links.',
    '',
    'The comparison is not one of equals. Schemathesis knows only the document, needs no binding and no cases, and works',
    'for every API. assay knows this one interface. Kills are counted differently too:',
    '',
    '- Schemathesis: any failure that it does not report for the unchanged reference, with the same operations and settings.',
    '- assay: a failure of the requirement that the fault breaks.',
    '',
    'For each fault Schemathesis gets the operations that can show it. It also gets those that make, read, list and remove',
    'what they need.',
    '',
    `Schemathesis ${peer.version} with ${peer.python}, seed ${seed}. *Default* stops after ${3 * seconds} s for a target.`,
    `*Thorough* is all checks, all modes, 400 examples, no stop at a failure, and a time budget of ${3 * seconds} s.`,
    '',
    ...(note === '' ? [] : [note, '']),
    '## Kills',
    '',
    `${mutants.length} mutants${mutants.length < all ? `, drawn out of ${all}` : ''}:`,
    '',
    '| tester | killed | requests in the median | seconds in the median |',
    '|---|---|---|---|',
  ]
  const killed = mutants.filter(({ ours }) => ['killed', 'withheld'].includes(ours.result))
  const share = (count) => `${count} (${mutants.length === 0 ? 0 : Math.round((100 * count) / mutants.length)} %)`
  lines.push(
    `| assay | ${share(killed.length)} | ${median(mutants.map(({ ours }) => ours.requests))} | ${median(mutants.map(({ ours }) => ours.milliseconds / 1000)).toFixed(1)} |`,
  )
  for (const name of settings) {
    const runs = mutants.map(({ peers }) => peers[name])
    lines.push(
      `| Schemathesis, ${name} | ${share(runs.filter(({ fresh }) => fresh.length > 0).length)} | ${median(runs.map(({ requests }) => requests))} | ${median(runs.map((one) => one.seconds)).toFixed(1)} |`,
    )
  }
  lines.push(
    '',
    `| mutant | assay | ${settings.map((name) => `Schemathesis, ${name}`).join(' | ')} |`,
    `|---|---|${settings.map(() => '---').join('|')}|`,
  )
  for (const { name, about, ours, peers } of mutants) {
    const cells = settings.map((setting) => cellOf(peers[setting]))
    lines.push(
      `| \`${name}\`: ${safe(about)} | ${ours.requirement || ours.result} after ${ours.requests} | ${cells.join(' | ')} |`,
    )
  }
  lines.push('', '## False alarms', '')
  lines.push(
    'Failures on the unchanged reference, and further ones on targets with other behaviour that the specification allows.',
    'On all of them assay reports nothing (`assay prove --variants`).',
    '',
    `| target | ${settings.map((name) => `Schemathesis, ${name}`).join(' | ')} |`,
    `|---|${settings.map(() => '---').join('|')}|`,
    `| the reference | ${settings.map((name) => alarmsOf(reference[name])).join(' | ')} |`,
  )
  for (const { name, about, peers } of variants) {
    const cells = settings.map((setting) => {
      const found = peers[setting].fresh.map(([, failure]) => failure)
      return found.length === 0 ? 'nothing more' : `${found.length} more: ${kindsOf(found)}`
    })
    lines.push(`| \`${name}\`: ${safe(about)} | ${cells.join(' | ')} |`)
  }
  lines.push(
    '',
    'Most failures on the reference are requests that the document allows and the reference refuses. The specification',
    'does not say which fields are required, which ids exist, or what a stored value may be. Nor does the document. For',
    'tests of one target, complete the document for that target first.',
    '',
  )
  const only = mutants.filter(
    ({ ours, peers }) =>
      !['killed', 'withheld'].includes(ours.result) && settings.some((name) => peers[name].fresh.length > 0),
  )
  if (only.length > 0)
    lines.push(`Noticed by Schemathesis and not by assay: ${only.map(({ name }) => `\`${name}\``).join(', ')}.`, '')
  return lines.join('\n')
}

function cellOf({ fresh, requests, ended }) {
  const [first] = fresh
  if (!first) return `nothing in ${requests}${ended === 'out of time' ? ', out of time' : ''}`
  const [, { operation, title }] = first
  return `${safe(title)} (${operation}), ${requests} in all`
}

function alarmsOf({ failures, ended }) {
  const over = ended === 'out of time' ? ', when its time was over' : ''
  return `${failures.length} failures${over}: ${kindsOf(failures.map(([, failure]) => failure))}`
}

function kindsOf(failures) {
  const counts = new Map()
  for (const { title } of failures) counts.set(title, (counts.get(title) ?? 0) + 1)
  return [...counts].map(([title, count]) => `${count} × ${safe(title)}`).join(', ')
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

function safe(text) {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
}
