import type { Command } from 'commander'

/** What may follow at one place of a command line. */
export interface Place {
  /** the verbs before it, such as `report compare`; '' where none stands yet */
  readonly path: string
  readonly words: readonly Word[]
}

export interface Word {
  readonly word: string
  readonly about: string
}

/** Every place of a program's command lines, a verb before the verbs below it. */
export function placesOf(program: Command): Place[] {
  return walk(program, [])
}

function walk(command: Command, path: readonly string[]): Place[] {
  const verbs = command.commands.map((child) => ({ word: child.name(), about: line(child.summary()) }))
  const options = command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long, description }) => (long ? [{ word: long, about: line(description) }] : []))
  return [
    { path: path.join(' '), words: [...verbs, ...options] },
    ...command.commands.flatMap((child) => walk(child, [...path, child.name()])),
  ]
}

function line(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
