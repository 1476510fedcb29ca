import { describe, expect, it } from 'vitest'
import { givenTo, isStillGood, isUsableBy, type KeptKey, printKeptKey, readKeptKey, renewalMs } from './kept-key.ts'

const key: KeptKey = { value: 'v', issuedMs: 1_000_000, endMs: 1_900_000, callers: [7] }

it('is replaced before its end, later in a shorter life', () => {
  expect(renewalMs(key)).toBe(1_870_000)
  expect(renewalMs({ ...key, endMs: key.issuedMs + 30_000 })).toBe(key.issuedMs + 24_000)
})

describe.each([
  ['of a process that has none yet', 8, 1_500_000, true, true],
  ['of one that has it: the server must have refused it', 7, 1_500_000, false, false],
  ['of one that has it, when it is new', 7, 1_029_999, true, true],
  ['of one that has it, when it is new no more', 7, 1_030_000, false, false],
  ['near its end', 8, 1_880_000, false, true],
  ['near its end, of one that has it', 7, 1_880_000, false, true],
  ['after its end', 8, 1_900_000, false, false],
  ['before it was made: the clock was set back', 8, 999_999, false, false],
])('the wish %s', (_name, caller, nowMs, isGood, isBetterThanNone) => {
  it(`is ${isGood ? '' : 'not '}granted with the kept key, and ${isBetterThanNone ? '' : 'not '}when the platform is away`, () => {
    expect(isUsableBy(key, caller, nowMs)).toBe(isGood)
    expect(isStillGood(key, caller, nowMs)).toBe(isBetterThanNone)
  })
})

it('remembers only the latest processes', () => {
  const many = Array.from({ length: 150 }, (_, pid) => pid).reduce(givenTo, key)
  expect(many.callers).toHaveLength(100)
  expect(many.callers.at(-1)).toBe(149)
  expect(givenTo(key, 7).callers).toEqual([7])
})

it.each(['', '{', 'null', '[]', '{"value":1}', '{"value":"v","issuedMs":"1","endMs":2}'])(
  'does not exist in %j',
  (text) => {
    expect(readKeptKey(text)).toBeUndefined()
  },
)

it('is read as it was written', () => {
  expect(readKeptKey(printKeptKey(key))).toEqual(key)
})
