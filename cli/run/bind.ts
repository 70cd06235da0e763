import { existsSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { type Bound, bind, type Differing, differing } from '../../engine/bind/bind.ts'
import { lackingFor } from '../../engine/bind/questions.ts'
import { loadConfig } from '../../engine/config/config.ts'
import { givenFile, UsageError } from '../../engine/errors.ts'
import { cleanupCommand } from '../../engine/leftovers.ts'
import { commandLine } from '../../engine/options.ts'
import { requireWritableFile } from '../../engine/writable.ts'
import { readPlainJson } from '../../fixtures/plain-file.ts'
import { writeFileWhole } from '../../reports/formats/write.ts'
import { Screen } from '../../reports/screen.ts'
import { quoted } from '../../reports/shell.ts'
import { clip, widthOf } from '../../reports/text.ts'
import type { TargetConfig } from '../../schemas/types/config.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { type Io, printedAsJson, screenFor } from '../terminal/io.ts'
import { showProgress } from '../terminal/progress.ts'
import { watchSignals } from '../terminal/signals.ts'
import { table } from '../terminal/table.ts'

/** What the command line gives. */
export interface BindVerbOptions {
  /** true: the configuration names the target */
  readonly probe?: string | true
  readonly openapi?: readonly string[]
  readonly from?: readonly string[]
  readonly config?: string
  readonly out: string
  readonly account?: string
  readonly name?: string
  readonly replace?: boolean
  readonly yesModifyTarget?: boolean
  readonly all?: boolean
  readonly json?: boolean
}

/** Writes a binding from what a target, a document or traffic shows. @throws UsageError, UnreachableError */
export async function runBind(options: BindVerbOptions, io: Io): Promise<void> {
  const { openapi = [], from = [] } = options
  if (options.probe === undefined && openapi.length === 0 && from.length === 0) {
    const hint = 'give --probe URL, --openapi FILE or --from RECORDING'
    throw new UsageError({ where: 'assay bind', what: 'there is nothing to learn from', hint })
  }
  const there = resolve(io.cwd, options.out)
  const before = existsSync(there) ? givenFile(() => readPlainJson(there, 'given'), options.out, '') : undefined
  // Nothing that somebody wrote is lost.
  const out = before === undefined || options.replace === true ? there : there.replace(/(\.json)?$/, '.new.json')
  await requireWritableFile(out, '--out')
  const baseUrl = typeof options.probe === 'string' ? options.probe : undefined
  const target =
    options.probe === undefined
      ? undefined
      : await loadConfig(options.config, io.env, io.cwd, { baseUrl, binding: undefined })
  const modify =
    target?.readOnly !== true && (options.yesModifyTarget === true || target?.consent?.modifyTarget === true)
  if (target) for (const line of wouldFindMore(target, modify, openapi.length > 0)) io.stderr.write(`${line}\n`)
  const { signal, release } = watchSignals((which) => {
    if (which === 'first') io.stderr.write('\nStopping: what was made is removed first.\n')
  })
  let step = ''
  const end = showProgress(io, () => (step === '' ? '' : `looking for ${step}`))
  let bound: Bound
  try {
    bound = await bind({
      ...(target
        ? { probe: { target, modify, journal: (prefix: string) => join(dirname(out), `journal-${prefix}.ndjson`) } }
        : {}),
      openapi: openapi.map((name) => ({ path: resolve(io.cwd, name), name })),
      recordings: from.map((name) => ({ path: resolve(io.cwd, name), name })),
      account: options.account,
      name: options.name ?? (basename(there, '.json') || 'binding'),
      interrupted: () => signal.aborted,
      onStep: (what) => {
        step = what
      },
    })
  } finally {
    end()
    release()
  }
  const { account } = options
  if (account !== undefined && !bound.rows.some(({ path }) => path.includes(`/${encodeURIComponent(account)}/`)))
    io.stderr.write('--account is of no use: no document has paths that stand in an account\n')
  await writeFileWhole(out, `${JSON.stringify(bound.file, null, 2)}\n`)
  const { probed, rows, questions, file } = bound
  const differs = before === undefined ? [] : differing(before.value, file)
  const { source: _source, document: _document, ...about } = probed ?? {}
  const found = { out, binding: file, operations: rows, questions, differs, ...(probed ? { probe: about } : {}) }
  if (!printedAsJson(io, options.json, found, 2)) {
    const how = target && { modify, config: options.config, target: baseUrl }
    const earlier = before === undefined ? undefined : { path: short(there, io.cwd), differs }
    io.stdout.write(rendered(bound, { out: short(out, io.cwd), earlier, all: options.all === true, how }, io))
  }
  if (probed?.interrupted === true) io.exitCode = EXIT.interrupted
  else if (probed && probed.left.length > 0) io.exitCode = EXIT.nonConformant
}

/** What would find more, before a request is sent. */
function wouldFindMore(target: TargetConfig, modify: boolean, hasDocument: boolean): string[] {
  const lines = [...lackingFor(target, modify)].map(([setting, operations]) => {
    const how = setting === 'consent.modifyTarget' ? '--yes-modify-target, or consent.modifyTarget' : setting
    return `  ${how}: ${operations} ${operations === 1 ? 'operation waits' : 'operations wait'} for it`
  })
  if (!hasDocument) lines.push('  --openapi FILE: the document of the target, if it does not serve one itself')
  return lines.length > 1 ? ['This would find more:', ...lines] : []
}

interface Told {
  readonly out: string
  /** the file that was there already, and where what was found differs from it */
  readonly earlier: { readonly path: string; readonly differs: readonly Differing[] } | undefined
  readonly all: boolean
  readonly how:
    | { readonly modify: boolean; readonly config: string | undefined; readonly target: string | undefined }
    | undefined
}

const MOST_QUESTIONS = 10
/** Columns that the last cell of a row needs at least to say something. */
const LEAST_LAST = 30

function rendered(bound: Bound, told: Told, io: Io): string {
  const { rows, questions, probed, file, journal } = bound
  const screen = new Screen(screenFor(io))
  const { paint } = screen
  const shown = rows.filter(({ found }) => told.all || found)
  const cells = shown.map(({ id, found, method, path, status, idAt, recordAt, listAt, sure, unlocks }) => [
    found ? id : `${id} (not found)`,
    status === null ? '' : String(status),
    sure ?? '',
    String(unlocks),
    `${method} ${path}`,
    [
      idAt === null ? '' : `id ${idAt}`,
      recordAt === null ? '' : `record ${recordAt || 'the body'}`,
      listAt === null ? '' : `list ${listAt || 'the body'}`,
    ]
      .filter((one) => one !== '')
      .join(', '),
  ])
  const heads = ['operation', 'status', 'sure', 'requirements', 'method and path', 'where in the response']
  // Each operation has one row: where there is no room, the last columns are left out, which the file tells as well.
  const all = [heads, ...cells]
  const widths = heads.map((_, column) => Math.max(...all.map((row) => widthOf(row[column] ?? ''))))
  const before = (count: number): number => widths.slice(0, count).reduce((sum, width) => sum + width + 2, 0)
  const kept = [heads.length, heads.length - 1].find((count) => before(count - 1) + LEAST_LAST <= io.columns)
  const narrow = all.map((row) => row.slice(0, kept ?? heads.length - 2))
  for (const line of table(narrow, io.columns)) screen.line(clip(line, io.columns))
  screen.line()
  screen.text(`Wrote ${told.out}${file.extends === undefined ? '' : `, which extends ${file.extends}`}.`)
  if (probed && told.how) tellProbe(screen, probed, told.how, journal, io)
  if (told.earlier) tellDiffering(screen, told.earlier, told.out)
  if (questions.length > 0) {
    screen.line()
    screen.line(paint.bold('Still open, most useful first'))
    for (const { about, text, unlocks, fix } of told.all ? questions : questions.slice(0, MOST_QUESTIONS)) {
      screen.text(`${unlocks} ${unlocks === 1 ? 'requirement' : 'requirements'}: ${text}`, { indent: 2 })
      screen.text(`${about}: ${fix}.`, { indent: 4 })
    }
    if (!told.all && questions.length > MOST_QUESTIONS)
      screen.text(`${questions.length - MOST_QUESTIONS} more with --all`, { indent: 2 })
  }
  screen.line()
  const open = rows.filter((row) => !row.found)
  const [seen, absent] = [open.filter(({ there }) => there), open.filter(({ id }) => isLeftOut(file, id))]
  const others = open.filter((row) => !seen.includes(row) && !absent.includes(row))
  const named = (words: string, some: typeof rows): string =>
    some.length === 0 ? '' : ` ${words}: ${some.map(({ id }) => id).join(', ')}.`
  screen.text(
    [
      `Found ${rows.length - open.length} of the ${rows.length} operations of the interface.`,
      named('The target seems to have these too', seen),
      named('Nothing of these was seen, so they are written as not offered', absent),
      named('Not looked for in full', others),
    ].join(''),
  )
  const [first] = questions.filter(({ about, unlocks }) => unlocks > 0 && seen.some(({ id }) => id === about))
  if (first) screen.text(`Next: ${first.about}: ${first.fix}. Then:`)
  else screen.text('Next:')
  screen.shell(nextCommand(told, io))
  return screen.toString()
}

function isLeftOut({ operations }: Bound['file'], id: string): boolean {
  return operations?.[id]?.offered === false
}

/** Names each line of an earlier file that says something else. */
function tellDiffering(screen: Screen, { path, differs }: NonNullable<Told['earlier']>, out: string): void {
  screen.line()
  screen.line(screen.paint.bold(out === path ? 'Beside the file that was there' : `${path} stays as it is`))
  for (const { place, before, found } of differs) {
    const [was, is] = [before, found].map((value) => (value === undefined ? 'nothing' : JSON.stringify(value)))
    screen.text(`${place}: ${was} there; found ${is}`, { indent: 2 })
  }
  if (differs.length === 0) screen.text('Both say the same.', { indent: 2 })
}

/** Certifies the target under the new binding. Consent to change it has to be given again. */
function nextCommand({ out, how }: Told, { program }: Io): string {
  const { target, config, modify = false } = how ?? {}
  const start = `${program} certify${target === undefined ? '' : ` ${quoted(target)}`}`
  return commandLine(start, { config, binding: out, yesModifyTarget: modify })
}

function tellProbe(
  screen: Screen,
  probed: NonNullable<Bound['probed']>,
  how: NonNullable<Told['how']>,
  journal: string | undefined,
  io: Io,
): void {
  const { made, left, requests, linesSent } = probed
  if (!how.modify)
    screen.text(
      'Only reads were sent. With --yes-modify-target, bind also makes and removes one resource of each kind, and finds far more.',
    )
  else
    screen.text(
      `${requests} requests; made ${made} things and removed ${made - left.filter(({ id }) => id !== undefined).length} of them.`,
    )
  if (linesSent) screen.text('Log lines were sent: no operation removes lines.')
  for (const { type, id, label } of left) screen.text(`left: ${type} ${id ?? '(id unknown)'} ${label}`, { indent: 2 })
  if (journal !== undefined)
    screen.text(
      `To remove it: ${cleanupCommand(io.program, short(journal, io.cwd), { config: how.config, target: how.target })} --binding ${quoted('FILE')}`,
    )
}

function short(path: string, cwd: string): string {
  const relativePath = relative(cwd, path)
  return relativePath.startsWith('..') ? path : `./${relativePath}`
}
