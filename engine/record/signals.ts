/** Resolves at the first wish to end; `again` is called at each later one. */
export function untilInterrupted(again: (count: number) => void): Promise<void> {
  let count = 0
  return new Promise((resolve) => {
    const onSignal = (): void => {
      count += 1
      if (count === 1) resolve()
      else again(count)
    }
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
    process.on('SIGHUP', onSignal)
  })
}
