const NUMBER = new Intl.NumberFormat('en-US')

export function number(value: number): string {
  return NUMBER.format(value)
}

/** `1 request`, `2 requests` */
export function counted(count: number, noun: string, plural: string = `${noun}s`): string {
  return `${number(count)} ${count === 1 ? noun : plural}`
}
