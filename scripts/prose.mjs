// Checks the language of the documents, of the texts in the code (scripts/texts.mjs prints those) and of comments.
// Finds long sentences, passive voice, doubled words, spelling, and words that scripts/prose/words.json retires.
// `--all` names every passive. scripts/prose/exceptions.json lists what may stay, each with its reason; an exception
// that nothing needs is an error.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { TextlintKernel } from '@textlint/kernel'
import markdown from '@textlint/textlint-plugin-markdown'
import misspellings from 'textlint-rule-common-misspellings'
import sentenceLength from 'textlint-rule-sentence-length'
import terminology from 'textlint-rule-terminology'
import writeGood from 'textlint-rule-write-good'
import { collectedComments, collectedDescriptions, faultOfSentence, sentencesOf } from './lib/comments.mjs'
import { trackedFiles } from './lib/files.mjs'
import { collectedTexts } from './lib/texts.mjs'

/** Some 25 words. */
const LONGEST_SENTENCE = 160
/** Of the sentences of a page with ten or more; the bound only goes down. */
const MOST_PASSIVE = 0.4

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const read = (name) => JSON.parse(readFileSync(join(root, 'scripts', 'prose', name), 'utf8'))
const words = read('words.json')
const exceptions = read('exceptions.json').map((one) => ({ ...one, used: false }))
const kernel = new TextlintKernel()
const plugins = [{ pluginId: 'markdown', plugin: markdown.default ?? markdown }]

function rule(ruleId, module, options) {
  return { ruleId, rule: module.default ?? module, options }
}

const silent = {
  weasel: false,
  so: false,
  thereIs: false,
  adverb: false,
  tooWordy: false,
  cliches: false,
  eprime: false,
}
const everywhere = [
  rule('sentence-length', sentenceLength, { max: LONGEST_SENTENCE }),
  rule('misspellings', misspellings, {}),
  rule('words', terminology, { defaultTerms: false, terms: words }),
]
const RULES = {
  documents: [...everywhere, rule('write-good', writeGood, { ...silent, passive: true, illusion: true })],
  texts: [...everywhere, rule('write-good', writeGood, { ...silent, passive: false, illusion: true })],
}

/** A document without generated tables; lines keep their numbers. */
function documentText(path) {
  return readFileSync(join(root, path), 'utf8').replaceAll(
    /(?<=<!-- (?:table|\w+)[^\n]*-->\n)[\s\S]*?(?=<!-- (?:end of table|\/\w+) -->)/g,
    (table) => table.replaceAll(/[^\n]/g, ''),
  )
}

async function messagesOf(path, text, rules) {
  const { messages } = await kernel.lintText(text, { filePath: path, ext: '.md', plugins, rules })
  return messages
}

/** Sentences of a document; code, tables and headings have none. */
function sentencesIn(text) {
  const prose = text.replaceAll(/```[\s\S]*?```/g, '').replaceAll(/^\s*(\||#).*$/gm, '')
  return prose.split(/[.!?:]\s|\n\s*\n|\n\s*[-\d]+[.)]?\s/).filter((one) => /\S+\s+\S+\s+\S/.test(one)).length
}

const isPassive = ({ message }) => message.includes('may be passive voice')

function passivesOf(path, text, messages) {
  const passives = messages.filter(isPassive)
  const withAgent = passives.filter(({ index, message }) => {
    const [, words = ''] = /"([^"]+)"/.exec(message) ?? []
    return /^\s+by\s/.test(text.slice(index + words.length))
  })
  const all = sentencesIn(text)
  const share = all < 10 ? 0 : passives.length / all
  const tooMany = `${passives.length} of ${all} sentences are passive, at most ${MOST_PASSIVE * 100} % may be`
  if (process.argv.includes('--all')) for (const one of passives) console.log(`${path}:${one.line} ${one.message}`)
  return [
    ...withAgent.map((one) => ({ ...one, ruleId: 'passive', message: `${one.message}: say who does it` })),
    ...(share > MOST_PASSIVE ? [{ line: 1, ruleId: 'passive', message: tooMany }] : []),
  ]
}

function isExcepted(path, { ruleId }, line) {
  const found = exceptions.find((one) => one.file === path && one.rule === ruleId && line.includes(one.text))
  if (found) found.used = true
  return found !== undefined
}

async function faultsOfDocument(path) {
  const text = documentText(path)
  const messages = await messagesOf(path, text, RULES.documents)
  const lines = text.split('\n')
  return [...messages.filter((one) => !isPassive(one)), ...passivesOf(path, text, messages)]
    .filter((one) => !isExcepted(path, one, lines.slice(one.line - 1, one.line + 3).join(' ')))
    .map(({ line, ruleId, message }) => `${path}:${line}: ${ruleId}: ${message.split('\n')[0]}`)
}

/** Texts of one file at once: each is a paragraph of its own, so its line tells which. */
async function faultsOfTexts(path, texts) {
  const shown = texts.map(({ text }) => text.replaceAll(/^([#>*|+-]|\d+\.)/g, '\\$1').replaceAll('<', '\\<'))
  const messages = await messagesOf(`${path}.md`, shown.join('\n\n'), RULES.texts)
  return messages.flatMap((one) => {
    const { at, text } = texts[(one.line - 1) / 2] ?? texts[0]
    if (isExcepted(path, one, text)) return []
    return [`${at}: ${one.ruleId}: ${one.message.split('\n')[0]} (${text.slice(0, 60)}…)`]
  })
}

const faults = []
for (const path of trackedFiles(root, ['*.md']).filter((path) => !/^CHANGELOG\.md$/.test(path))) {
  faults.push(...(await faultsOfDocument(path)))
}
const byFile = Map.groupBy?.(collectedTexts(root), fileOf) ?? groupedByFile(collectedTexts(root))
for (const [path, texts] of byFile) faults.push(...(await faultsOfTexts(path, texts)))
for (const { at, text } of [...collectedComments(root), ...collectedDescriptions(root)]) {
  for (const sentence of sentencesOf(text)) {
    const fault = faultOfSentence(sentence, words)
    const path = at.split(':')[0]
    if (fault && !isExcepted(path, { ruleId: 'comment' }, sentence))
      faults.push(`${at}: comment: ${fault}: ${sentence}`)
  }
}
for (const { used, file, text } of exceptions) {
  if (!used) faults.push(`scripts/prose/exceptions.json: nothing needs the exception for ${file}: ${text}`)
}

function fileOf({ at }) {
  return at.split(/[ :]/)[0]
}

function groupedByFile(texts) {
  const grouped = new Map()
  for (const one of texts) grouped.set(fileOf(one), [...(grouped.get(fileOf(one)) ?? []), one])
  return grouped
}

if (faults.length > 0) {
  console.error(faults.join('\n'))
  console.error(`${faults.length} places to rewrite`)
  process.exit(1)
}
