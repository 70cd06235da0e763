import { type Command, Help } from 'commander'

/** Lines of a screen. A longer help shows the options that people use first, and how to see all. */
const SCREEN = 40
/** Of these, what stands around the list of options at the end: the examples. */
const EXAMPLES = 7

/** Verb -> the options that people use first, of verbs whose help is longer than a screen. */
export const FIRST: Readonly<Record<string, readonly string[]>> = {
  certify: ['--embedded', '--config', '--profile', '--only', '--yes-modify-target'],
  check: ['--binding', '--out', '--baseline', '--strict', '--json'],
  record: ['--target', '--listen', '--out', '--binding', '--ui'],
}

/** The help of a verb that fits a screen. `all`: each option is listed, however long that gets. */
export function helpOnOneScreen(all: boolean): (command: Command, helper: Help) => string {
  return (command, helper) => {
    const plain = new Help()
    const whole = (options: Help['visibleOptions']): string => {
      Object.assign(plain, {
        helpWidth: helper.helpWidth,
        minWidthToWrap: helper.minWidthToWrap,
        visibleOptions: options,
      })
      return plain.formatHelp(command, plain)
    }
    const every = (one: Command): ReturnType<Help['visibleOptions']> => helper.visibleOptions(one)
    const text = whole(every)
    const first = FIRST[command.name()]
    if (all || first === undefined || text.split('\n').length + EXAMPLES <= SCREEN) return text
    const isFirst = (long: string | undefined): boolean => long === '--help' || first.includes(long ?? '')
    const more = every(command).filter(({ long }) => !isFirst(long)).length
    const short = whole((one) => every(one).filter(({ long }) => isFirst(long)))
    return `${short}\n${more} more options: assay ${command.name()} --help --all\n`
  }
}
