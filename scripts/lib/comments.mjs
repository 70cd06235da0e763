// Collects the comments of the code and the descriptions in schemas, and says what is wrong with their sentences.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { trackedFiles } from './files.mjs'

const DIRECTIVE = /^\s*(biome-|@ts-|v8 ignore|prettier-|eslint-|#region|#endregion)|^\/ <reference/
const GENERATED = /^schemas\/types\//

/** Where a comment begins and what it says; lines that follow each other are one comment. */
export function collectedComments(root) {
  return trackedFiles(root, ['*.ts', '*.tsx', '*.mjs'])
    .filter((path) => !GENERATED.test(path))
    .flatMap((path) => commentsOf(path, readFileSync(join(root, path), 'utf8')))
}

/** Where a description begins and what it says: editors show them, and types are generated from them. */
export function collectedDescriptions(root) {
  return trackedFiles(root, ['schemas/**/*.schema.json']).flatMap((path) => {
    const found = []
    JSON.parse(readFileSync(join(root, path), 'utf8'), (key, value) => {
      if (key === 'description' && typeof value === 'string') found.push({ at: path, text: value })
      return value
    })
    return found
  })
}

function commentsOf(path, source) {
  const { comments } = parseSync(path, source)
  const runs = []
  for (const comment of comments.filter(({ value }) => !DIRECTIVE.test(value))) {
    const last = runs.at(-1)
    const between = last && source.slice(last.end, comment.start)
    if (comment.type === 'Line' && last?.type === 'Line' && /^\s*\n[ \t]*$/.test(between) && !/\n.*\n/.test(between)) {
      last.text += `\n${textOf(comment)}`
      last.end = comment.end
    } else {
      runs.push({ ...comment, text: textOf(comment) })
    }
  }
  return runs.map(({ start, text }) => ({ at: `${path}:${source.slice(0, start).split('\n').length}`, text }))
}

function textOf({ type, value }) {
  return type === 'Line' ? value.replace(/^ /, '').trimEnd() : value.replaceAll(/^[ \t]*\*+ ?/gm, '').trim()
}

/** Comments are short texts: a sentence of more words is two thoughts. */
const MOST_WORDS = 25

const VERBS =
  /\b(is|are|was|were|has|have|had|does|do|did|can|cannot|may|must|will|would|could|stays?|goes|counts?|comes|gets|keeps|holds|makes|says|belongs?|depends|follows|stands?|shows|takes|needs|gives|leaves|ends|costs|becomes|changes|tells|decides|means|lies|names|waits|begins|fits|remains?|differs?)\b/gi
const SUBORDINATE =
  /\b(that|which|who|whom|whose|where|when|while|if|once|because|since|until|whether|how|than|what|before|after|unless|though|so)\b.*$/i
const CLAUSES = /[.;:()]\s*|, (?=(?:and|but|so that|for|since|as|because|or) )|, (?=what\b)/

/** Ends of sentences, tags, paragraphs, elements of lists, and the words that an enumeration explains: `. read: it only …`. */
const BORDERS = [
  /(?<=[.!?:])\s+(?=["'`(A-Z])/,
  /(?=@\w)/,
  /\n\s*\n/,
  /\n\s*(?:[-*]|\d+\.)\s/,
  /(?<=[.;])\s+(?=[a-z][-\w]*(?:, [-\w]+)*: )/,
]

/** The sentences of a comment, without the lines that show a command. */
export function sentencesOf(text) {
  return text
    .replaceAll(/^ *(node \S+\.m?js|npm run|npx) .*$/gm, '\n')
    .split(new RegExp(BORDERS.map(({ source }) => source).join('|')))
    .map((one) => one.replaceAll(/\s+/g, ' ').trim())
    .filter((one) => one !== '')
}

/** What is wrong with the language of a sentence; undefined: nothing. `words`: retired words with those to use. */
export function faultOfSentence(sentence, words) {
  const count = sentence.split(' ').filter((word) => /[a-z]/i.test(word)).length
  if (count > MOST_WORDS) return `${count} words, at most ${MOST_WORDS}`
  if (hasWhatAsSubject(sentence)) return "a clause with 'what' as its subject: name the thing"
  const plain = sentence.replaceAll(/(?<=^|[\s(])'[^']*'|`[^`]*`/g, '')
  const retired = words.find(([pattern]) => new RegExp(`\\b(?:${pattern})\\b`, 'i').test(plain))
  return retired && `'${retired[0]}': write '${retired[1]}'`
}

/** "What was sent is judged": two verbs in a clause that begins with "what". A label has one: "What was sent". */
function hasWhatAsSubject(sentence) {
  return sentence.split(CLAUSES).some((clause) => {
    const [, rest] = /^(?:(?:and|but|so that|for|since|as|because|or) )?what\b(.*)$/i.exec(clause.trim()) ?? []
    if (rest === undefined) return false
    const main = rest
      .split(',')[0]
      .replace(SUBORDINATE, '')
      .replaceAll(/\b(and|or|but|nor)( not| then| also)? \w+/gi, ' ')
    const helped = main.match(/\b(may|can|could|would|must|will|has|have|had|does|do|did)( not)? \w+/gi) ?? []
    const verbs = main.match(VERBS)?.length ?? 0
    return verbs - helped.filter((pair) => pair.match(VERBS).length > 1).length >= 2
  })
}
