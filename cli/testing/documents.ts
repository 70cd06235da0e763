import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = new URL('../../', import.meta.url)

/** A fenced block of a document. */
export interface Block {
  /** path of the document, and the line that the block begins in */
  readonly at: string
  /** the words behind the fence: `sh`, `sh run`, `json` */
  readonly info: string
  readonly text: string
}

/** A line of a shell block, without its comment. */
export interface CommandLine {
  readonly at: string
  readonly words: readonly string[]
  /** exit code that the comment names; 0 where it names none */
  readonly code: number
}

/** What follows `npx assay`, the form in which every document writes a command; undefined: another tool. */
export function argumentsOf({ words }: Pick<CommandLine, 'words'>): string[] | undefined {
  return words[0] === 'npx' && words[1] === 'assay' ? words.slice(2) : undefined
}

/** Paths of the documents with commands for users. */
export function documents(): string[] {
  const pages = readdirSync(new URL('docs/', ROOT)).filter((name) => name.endsWith('.md'))
  const examples = readdirSync(new URL('examples/', ROOT)).map((name) => `examples/${name}/README.md`)
  return ['README.md', 'CONTRIBUTING.md', ...pages.map((name) => `docs/${name}`), ...examples]
}

export function readDocument(path: string): string {
  return readFileSync(fileURLToPath(new URL(path, ROOT)), 'utf8')
}

/** The obstacle to running the commands of a block as they are; undefined: nothing. */
export function obstacleTo({ info }: Block): string | undefined {
  return /^sh not run: (.+)$/.exec(info)?.[1]
}

/** Commands of assay that stand within a sentence, without those that only name a verb. */
export function mentionsOf(path: string, text: string): CommandLine[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, (block) => block.replaceAll(/[^\n]/g, ''))
  const named = /`((?:npx )?assay [a-z]+ (?!(?:[a-z]+|--probe|--record)`)[^`…]+)`/g
  return [...prose.matchAll(named)].map((match) => ({
    at: `${path}:${prose.slice(0, match.index).split('\n').length}`,
    words: (match[1] ?? '').split(/\s+/),
    code: 0,
  }))
}

export function blocksOf(path: string, text: string): Block[] {
  return [...text.matchAll(/^```(.+)\n([\s\S]*?)^```$/gm)].map((match) => ({
    at: `${path}:${text.slice(0, match.index).split('\n').length}`,
    info: match[1] ?? '',
    text: match[2] ?? '',
  }))
}

/** The commands of a shell block; those joined by `&&` one by one. */
export function commandsOf(block: Block): CommandLine[] {
  return block.text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .flatMap((line) => {
      const [command = '', comment = ''] = line.split(/ # /)
      const code = Number(/^ends with (\d+)/.exec(comment)?.[1] ?? 0)
      return command.split('&&').map((part) => ({ at: block.at, words: part.trim().split(/\s+/), code }))
    })
}
