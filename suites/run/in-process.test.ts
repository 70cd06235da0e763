import { describe, expect, test } from 'vitest'
import { guardProcess, takeThread } from './in-process.ts'

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
})

const STATE = '__vitest_worker__'

describe('the thread of a run', () => {
  test('is one of vitest where this one has a runner of tests, whose state stays', () => {
    const before: unknown = Reflect.get(globalThis, STATE)
    expect(before).toBeDefined()
    const thread = takeThread()
    thread.release()
    expect(thread.pool).toBe('threads')
    expect(Reflect.get(globalThis, STATE)).toBe(before)
  })

  test('is this one where it is free, for one run at a time', () => {
    const before: unknown = Reflect.get(globalThis, STATE)
    Reflect.deleteProperty(globalThis, STATE)
    const first = takeThread()
    const second = takeThread()
    second.release()
    const third = takeThread()
    first.release()
    const fourth = takeThread()
    fourth.release()
    Reflect.set(globalThis, STATE, before)
    const own = [first, second, third, fourth].map(({ pool }) => pool !== 'threads')
    expect(own).toEqual([true, false, false, true])
  })
})
