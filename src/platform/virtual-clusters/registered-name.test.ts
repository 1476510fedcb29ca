import { describe, expect, it } from 'vitest'
import { registeredName } from './registered-name.ts'

function known(...pairs: readonly (readonly [string, string])[]) {
  return new Map(pairs.map(([name, serviceUid]) => [name, { serviceUid }]))
}

describe('the name of a virtual cluster that registers itself', () => {
  it('is the one it wants, when that is free or waits to be claimed', () => {
    expect(registeredName('dev', 'uid-1', known())).toBe('dev')
    expect(registeredName('dev', 'uid-1', known(['dev', '']))).toBe('dev')
  })

  it('is the one it had before, whatever it wants now', () => {
    expect(registeredName('renamed', 'uid-1', known(['dev', 'uid-1'], ['renamed', 'uid-2']))).toBe('dev')
  })

  it('is derived when another has it, and always the same', () => {
    const derived = registeredName('dev', 'uid-2', known(['dev', 'uid-1']))
    expect(derived).toMatch(/^dev-[0-9a-z]{5}$/)
    expect(registeredName('dev', 'uid-2', known(['dev', 'uid-1'], ['other', 'uid-3']))).toBe(derived)
    expect(registeredName('dev', 'uid-4', known(['dev', 'uid-1']))).not.toBe(derived)
  })

  it('gets a longer suffix when even the derived one is taken, and stays a label', () => {
    const short = registeredName('dev', 'uid-2', known(['dev', 'uid-1'])) ?? ''
    expect(registeredName('dev', 'uid-2', known(['dev', 'uid-1'], [short, 'uid-9']))).toMatch(/^dev-[0-9a-z]{10}$/)
    const long = 'a'.repeat(63)
    expect(registeredName(long, 'uid-2', known([long, 'uid-1']))).toHaveLength(63)
  })
})
