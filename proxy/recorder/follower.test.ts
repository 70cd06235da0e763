import { describe, expect, test } from 'vitest'
import { WholeBodies } from './follower.ts'

const MIB = 1024 * 1024

function pass(wholes: WholeBodies, body: Buffer): Buffer | undefined {
  const whole = wholes.begin()
  for (let at = 0; at < body.length; at += 65_000) whole.push(body.subarray(at, at + 65_000))
  return whole.finish()?.kept
}

describe('a long body that is to be kept whole', () => {
  test('is handed over as it is up to 16 MiB, and not at all beyond', () => {
    const wholes = new WholeBodies()
    const body = Buffer.alloc(16 * MIB, 'line\n')
    expect(pass(wholes, body)?.equals(body)).toBe(true)
    expect(pass(wholes, Buffer.alloc(16 * MIB + 1))).toBeUndefined()
  })

  test('takes no more room than there is for all, which those leave that end', () => {
    const wholes = new WholeBodies()
    const body = Buffer.alloc(12 * MIB, 'line\n')
    const [one, other, third] = [wholes.begin(), wholes.begin(), wholes.begin()]
    for (const whole of [one, other, third]) whole.push(body)
    expect(third.finish()).toBeUndefined()
    other.discard()
    expect(pass(wholes, body)?.length).toBe(body.length)
    expect(one.finish()?.kept.length).toBe(body.length)
    expect(other.finish()).toBeUndefined()
  })
})
