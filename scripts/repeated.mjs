// Finds repeated code with jscpd's detector, and fails where there is more of it than the bounds below.
//
// Two places repeat each other where six lines or more, with fifteen words or more, are the same. A word is a name, a
// keyword, a number or a text, with the signs behind it. `lines` counts places of the same words, tests included.
// `shapes` counts places of the program that differ in names alone. Names alone are not taken for the same, as in the
// fields of an interface or in a list of names. Imports say nothing and are left out. A bound only goes down: lower it
// when you remove repetitions.
import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Detector } from '@jscpd/core'
import { createTokensMaps, tokenize } from '@jscpd/tokenizer'

const BOUNDS = { lines: 2, shapes: 30 }
const LINES = 6
const WORDS = 15
const NAMES = new Set(['default', 'function', 'function-variable', 'constant'])
const NOT_OF_THE_PROGRAM = /\.test\.|(^|\/)_?testing(\/|\.ts)|^(cli\/e2e|bench|scripts|examples)\//
/** An interface, a type that is an object, and a line that lists one name. */
const NAMES_ALONE = /^(export )?(interface|type) [^;]*?\{$[\s\S]*?^\}|^ *(\.\.\.)?\w+,$/gm
const IMPORTS = /^(import|export (type )?[{*])[\s\S]*? from '.*'$/gm

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const listed = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '-z', '*.ts', '*.tsx', '*.mjs'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
const texts = listed
  .split('\0')
  .filter((path) => path !== '')
  .flatMap((path) => textOf(path))
  .map(([path, text]) => [path, text.replace(IMPORTS, (lines) => lines.replace(/[^\n]/g, ''))])

/** The text of a file, which is not there while it is being moved. */
function textOf(path) {
  try {
    return [[path, readFileSync(join(root, path), 'utf8')]]
  } catch {
    return []
  }
}

function wordsOf(text, anyName) {
  const words = []
  const alone = [...text.matchAll(NAMES_ALONE)].map(({ 0: found, index }) => [index, index + found.length])
  const named = (at) => alone.some(([from, to]) => at >= from && at < to)
  for (const token of tokenize(text, 'typescript')) {
    const value = token.value.trim()
    const last = words.at(-1)
    if (value === '' || token.type === 'comment') continue
    if (last && (token.type === 'punctuation' || token.type === 'operator')) {
      last.value += value
      last.loc.end = token.loc.end
    } else {
      words.push({
        ...token,
        type: 'word',
        value: anyName && NAMES.has(token.type) && !named(token.range[0]) ? 'name' : value,
      })
    }
  }
  return words
}

/** The detector's own hashes are slow, and so are the errors by which its own store says that it has nothing. */
function numbers() {
  const known = new Map()
  return (text) => {
    if (text.length > 200) return hash('sha1', text)
    if (!known.has(text)) known.set(text, String(known.size).padStart(20, '0'))
    return known.get(text)
  }
}

function store() {
  const kept = new Map()
  return {
    namespace() {},
    get: (key) => (kept.has(key) ? Promise.resolve(kept.get(key)) : Promise.reject()),
    set: (key, value) => Promise.resolve(kept.set(key, value) && value),
    close() {},
  }
}

async function repetitions(files, anyName) {
  const seen = new Map()
  const tokenizer = {
    generateMaps(path, text, _format, options) {
      const words = wordsOf(text, anyName)
      seen.set(path, words)
      return words.length === 0 ? [] : createTokensMaps(path, text, words, options)
    },
  }
  const options = { minTokens: WORDS, minLines: LINES - 1, hashFunction: numbers() }
  const detector = new Detector(tokenizer, store(), [], options)
  const found = []
  for (const [path, text] of files) found.push(...(await detector.detect(path, text, 'typescript')))
  return found.flatMap((clone) => together(clone, seen))
}

/** As much of a found pair as is the same word for word: the detector also joins pieces from several places. */
function together({ duplicationA, duplicationB }, seen) {
  const [one, other] = [duplicationA, duplicationB].map(({ sourceId, start }) => {
    const words = seen.get(sourceId)
    return words.slice(words.findIndex(({ loc }) => loc.start.position >= start.position))
  })
  const differs = one.findIndex(({ value }, at) => value !== other[at]?.value)
  const same = differs === -1 ? one.length : differs
  if (same < WORDS) return []
  const places = [
    [duplicationB.sourceId, other],
    [duplicationA.sourceId, one],
  ].map(([path, words]) => ({ path, from: words[0].loc.start.line, to: words[same - 1].loc.end.line }))
  return places.every(({ from, to }) => to - from + 1 >= LINES) ? [places] : []
}

const place = ({ path, from, to }) => `${path}:${from}-${to}`
const counted = {
  lines: await repetitions(texts, false),
  shapes: await repetitions(
    texts.filter(([path]) => !NOT_OF_THE_PROGRAM.test(path)),
    true,
  ),
}
if (texts.length < 500) throw new Error(`only ${texts.length} files were seen`)
for (const [kind, found] of Object.entries(counted)) {
  const tooMany = found.length > BOUNDS[kind]
  if (tooMany || process.argv.includes('--list')) {
    for (const places of found) console.log(`${kind}: ${places.map(place).join(' = ')}`)
  }
  console.log(`${kind}: ${found.length} pairs of places repeat each other; at most ${BOUNDS[kind]} are allowed`)
  if (tooMany) process.exitCode = 1
}
