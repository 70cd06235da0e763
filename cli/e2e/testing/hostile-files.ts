import { execFileSync } from 'node:child_process'
import {
  closeSync,
  createWriteStream,
  mkdirSync,
  openSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip, gzipSync } from 'node:zlib'

/** Makes files that nobody would make who means well, below one folder. */
export interface HostileFiles {
  readonly folder: string
  at(name: string): string
  write(name: string, content: string | Buffer | object): string
  link(name: string, to: string): string
  pipe(name: string): string
  /** a file that begins and ends with texts, and has zeros between them; takes no room on the disk */
  sparse(name: string, bytes: number, before?: string, after?: string): string
  /** a compressed file of so many zeros behind a text */
  bomb(name: string, bytes: number, before?: string): Promise<string>
  /** a recording in a folder: its lines behind a good header, and files of bodies by their hash */
  recording(name: string, lines: readonly (object | string)[], header?: object): string
}

export function hostileFiles(folder: string): HostileFiles {
  const at = (name: string): string => {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    return path
  }
  const write = (name: string, content: string | Buffer | object): string => {
    const path = at(name)
    const plain = typeof content === 'string' || Buffer.isBuffer(content)
    writeFileSync(path, plain ? content : JSON.stringify(content))
    return path
  }
  return {
    folder,
    at,
    write,
    link(name, to) {
      symlinkSync(to, at(name))
      return join(folder, name)
    },
    pipe(name) {
      execFileSync('mkfifo', [at(name)])
      return join(folder, name)
    },
    sparse(name, bytes, before = '', after = '') {
      const path = write(name, before)
      truncateSync(path, bytes)
      const file = openSync(path, 'a')
      writeSync(file, after)
      closeSync(file)
      return path
    },
    async bomb(name, bytes, before = '') {
      const path = at(name)
      await pipeline(Readable.from(zeros(bytes, before)), createGzip({ level: 1 }), createWriteStream(path))
      return path
    },
    recording(name, lines, header = {}) {
      const text = [{ ...HEADER, ...header }, ...lines]
        .map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
        .join('\n')
      write(`${name}/exchanges-000001.ndjson`, `${text}\n`)
      return join(folder, name)
    },
  }
}

function* zeros(bytes: number, before: string): Generator<Buffer> {
  yield Buffer.from(before)
  const part = Buffer.alloc(1 << 20)
  for (let done = 0; done < bytes; done += part.length) yield part
}

/** Of a segment whose exchanges are all read. */
export const HEADER: object = {
  _format: 'assay-segment',
  _version: 2,
  _kind: 'exchanges',
  base: 'http://127.0.0.1:1',
  about: {
    tool: 'assay 0.1.0',
    startedAt: '2026-01-02T03:04:05.000Z',
    target: 'http://127.0.0.1:1',
    binding: 'reference',
  },
}

/** A good exchange of a recording; fields of it may be replaced. */
export function line(change: object = {}): object {
  const type = ['content-type', 'application/json']
  const got = { S: 200, H: type, B: { t: '[]' } }
  return { i: 'x-1', s: 1_767_323_045_000, e: 10, m: 'GET', u: '/v1/config/view', h: [], ...got, ...change }
}

/** A request that sends a body which stands in a file of its own. */
export function posting(body: string): object {
  return line({
    m: 'POST',
    u: '/v1/config/view',
    h: ['content-type', 'application/json'],
    b: { t: '{', c: 1, f: body },
  })
}

/** JSON of a few megabytes that takes hundreds of them once it is parsed. */
export function manyValues(megabytes: number): string {
  return `[${'[],'.repeat(Math.floor((megabytes << 20) / 3))}[]]`
}

export function deep(levels = 100_000): string {
  return `${'['.repeat(levels)}1${']'.repeat(levels)}`
}

export interface TarEntry {
  readonly name: string
  readonly content?: Buffer | string
  /** of the header; a plain file if left out */
  readonly type?: string
  /** bytes that the header claims */
  readonly size?: number
  readonly link?: string
}

/** A tar archive whose headers say what nobody would say who means well. */
export function tar(entries: readonly TarEntry[]): Buffer {
  const parts = entries.flatMap(({ name, content = '', type = '0', size, link = '' }) => {
    const bytes = Buffer.from(content)
    const header = Buffer.alloc(512)
    header.write(name, 0, 100)
    header.write('0000644\0', 100)
    header.write('0000000\0', 108)
    header.write('0000000\0', 116)
    header.write(`${(size ?? bytes.length).toString(8).padStart(11, '0')}\0`, 124)
    header.write('00000000000\0', 136)
    header.write('        ', 148)
    header.write(type, 156)
    header.write(link, 157, 100)
    header.write('ustar\u000000', 257)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]
  })
  return Buffer.concat([...parts, Buffer.alloc(1024)])
}

export function bundle(entries: readonly TarEntry[]): Buffer {
  return gzipSync(tar(entries), { level: 1 })
}
