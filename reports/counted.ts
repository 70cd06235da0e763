let format: Intl.NumberFormat | undefined

export function number(value: number): string {
  // Not made before it is needed: the first of a process takes 12 ms.
  format ??= new Intl.NumberFormat('en-US')
  return format.format(value)
}

/** `1 request`, `2 requests` */
export function counted(count: number, noun: string, plural: string = `${noun}s`): string {
  return `${number(count)} ${count === 1 ? noun : plural}`
}
