import { describe, expect, test } from 'vitest'
import { guardProcess, WORKER_STATE } from './in-process.ts'

describe('a guarded process', () => {
  test('keeps its own listeners for signals and loses those that came', () => {
    const own = (): void => {}
    const came = (): void => {}
    process.on('SIGTERM', own)
    const guard = guardProcess(() => {})
    process.on('SIGTERM', came)
    guard.keepSignals()
    expect(process.listeners('SIGTERM')).toContain(own)
    expect(process.listeners('SIGTERM')).not.toContain(came)
    guard.restore()
    expect(process.listeners('SIGTERM')).toContain(own)
    process.off('SIGTERM', own)
  })

  test('loses a listener for signals before a signal can come, while vitest is being made', async () => {
    const came = (): void => {}
    const guard = guardProcess(() => {})
    process.once('SIGINT', came)
    await Promise.resolve()
    expect(process.listeners('SIGINT')).not.toContain(came)
    guard.keepSignals()
    process.once('SIGINT', came)
    await Promise.resolve()
    expect(process.listeners('SIGINT')).toContain(came)
    guard.restore()
    process.off('SIGINT', came)
  })

  test('tells of what nobody caught, and only while it is guarded', () => {
    const told: string[] = []
    const before = process.listeners('unhandledRejection')
    const guard = guardProcess((message) => told.push(message))
    const [listener] = process.listeners('unhandledRejection').filter((one) => !before.includes(one))
    listener?.(new Error('nobody waited'), Promise.resolve())
    listener?.('not an error', Promise.resolve())
    guard.restore()
    expect(told).toEqual(['nobody waited', 'not an error'])
    expect(process.listeners('unhandledRejection')).toEqual(before)
  })

  test('is not ended by those who end it for an error, until the guard is over', () => {
    const end = (): void => {}
    process.once('uncaughtException', end)
    const guard = guardProcess(() => {})
    expect(process.listeners('uncaughtException')).not.toContain(end)
    guard.restore()
    expect(process.listeners('uncaughtException')).toContain(end)
    process.off('uncaughtException', end)
    expect(process.listeners('uncaughtException')).not.toContain(end)
  })

  test('gets its end back, and its exit code', () => {
    const { exit, exitCode } = process
    const guard = guardProcess(() => {})
    process.exit = () => {
      throw new Error('not allowed')
    }
    process.exitCode = 7
    guard.restore()
    expect(process.exit).toBe(exit)
    expect(process.exitCode).toBe(exitCode)
  })

  test('keeps the state of a runner that was there before', () => {
    guardProcess(() => {}).restore()
    expect(WORKER_STATE in globalThis).toBe(true)
  })
})
