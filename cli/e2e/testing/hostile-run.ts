import { readFileSync } from 'node:fs'
import { test } from '../../testing/world.ts'
import { type HostileFiles, hostileFiles } from './hostile-files.ts'

/** Milliseconds, on a machine that has nothing else to do; and bytes. */
const LONGEST_MS = 5_000
const MOST_BYTES = 300 * 1024 * 1024
export const GIB: number = 1024 ** 3
/** Content of a file outside the recording. It must never appear anywhere. */
export const PRIVATE: string = 'assay-private-5c1d20'

/** `args` begin with the verb. `target`: an address that counts what it is sent. */
interface Given {
  readonly args: readonly string[]
  /** default: 2 */
  readonly code?: number
  readonly said: RegExp
  /** of the message; default: 1 */
  readonly lines?: number
}

export type Make = (files: HostileFiles, target: string) => Given | Promise<Given>

/** Notes what a process took when it ends: bytes of memory, and milliseconds of a processor. */
const PEAK =
  'data:text/javascript,import{writeFileSync}from"node:fs";process.on("exit",()=>{const{maxRSS,userCPUTime,systemCPUTime}=process.resourceUsage();writeFileSync(process.env.PEAK_FILE,JSON.stringify({bytes:maxRSS*1024,ms:(userCPUTime+systemCPUTime)/1000}))})'

/** A replay that would send what the recording holds. */
export function replay(path: string, target: string): string[] {
  return ['replay', path, '--target', target, '--binding', 'reference', '--yes-modify-target']
}

/** Runs each case: it has to end with one clear line, in time and in little memory, with nothing sent and nothing served. */
export function holdEach(kinds: Readonly<Record<string, Readonly<Record<string, Make>>>>): void {
  const cases = Object.entries(kinds).flatMap(([kind, made]) =>
    Object.entries(made).map(([name, make]) => [`${kind} ${name}`, make] as const),
  )
  test.for(cases)('%s ends with one clear line, in time and in little memory', async ([, make], { world, expect }) => {
    let asked = 0
    const target = await world.http((_, response) => {
      asked += 1
      response.end('{}')
    })
    const files = hostileFiles(world.folder)
    files.write('assay.config.json', {
      baseUrl: target,
      binding: 'reference',
      credentials: { accessToken: 'assay-secret-3f9a71' },
    })
    const { args, code = 2, said, lines: count = 1 } = await make(files, target)
    const peak = files.at('peak')
    const ended = await world.assay(args, { node: ['--import', PEAK], env: { PEAK_FILE: peak }, longest: 60_000 })
    const lines = `${ended.stdout}${ended.stderr}`
      .split('\n')
      .filter((text) => text !== '' && !/^(reading|removing|verifying|read by the binding) /.test(text))
    expect({ code: ended.code, lines }).toEqual({ code, lines: Array(count).fill(expect.stringMatching(said)) })
    expect(lines[0]).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]|assay itself failed/u)
    expect(lines[0]).not.toContain(PRIVATE)
    expect(lines[0]?.length).toBeLessThan(1_000)
    expect(asked).toBe(0)
    // A process that waits takes no time of a processor, and one on a busy machine waits for one.
    expect(ended.ms).toBeLessThan(4 * LONGEST_MS)
    const taken = JSON.parse(readFileSync(peak, 'utf8')) as { readonly bytes: number; readonly ms: number }
    expect(taken.bytes).toBeLessThan(MOST_BYTES)
    expect(taken.ms).toBeLessThan(LONGEST_MS)
  })
}
