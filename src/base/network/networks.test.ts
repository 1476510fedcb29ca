import { describe, expect, it } from 'vitest'
import { canonicalAddress, networkProblem, networksOf } from './networks.ts'

describe('networks', () => {
  it.each([
    ['10.0.0.0/8', undefined],
    ['192.0.2.1', undefined],
    ['2001:DB8::/32', undefined],
    ['::1', undefined],
    ['0.0.0.0/0', 'every address'],
    ['::/0', 'every address'],
    ['10.0.0.0/33', 'number of bits'],
    ['10.0.0.0/', 'number of bits'],
    ['::1/129', 'number of bits'],
    ['::ffff:10.0.0.0/104', 'IPv4'],
    ['fe80::1%lo', 'neither'],
    ['example.com', 'neither'],
    [' 10.0.0.1', 'neither'],
    ['', 'neither'],
  ])('%s is accepted, or refused with a reason', (text, problem) => {
    if (problem === undefined) expect(networkProblem(text)).toBeUndefined()
    else expect(networkProblem(text)).toContain(problem)
  })

  it.each([
    ['10.255.0.1', true],
    ['11.0.0.1', false],
    ['::ffff:10.1.2.3', true],
    ['::ffff:a01:203', true],
    ['::a01:203', false],
    ['2001:0DB8:0:0::9', true],
    ['2001:db9::', false],
    ['0:0:0:0:0:0:0:1', true],
    ['', false],
    ['localhost', false],
  ])('%s is in one, or in none', (address, isIn) => {
    expect(networksOf(['10.0.0.0/8', '2001:db8::/32', '::1']).has(address)).toBe(isIn)
  })

  it('are compared in one canonical form', () => {
    expect(canonicalAddress('2001:0DB8:0:0:0:0:0:1')).toBe('2001:db8::1')
    expect(canonicalAddress('::ffff:c000:201')).toBe('192.0.2.1')
    expect(canonicalAddress('fe80::1%eth0')).toBeUndefined()
  })
})
