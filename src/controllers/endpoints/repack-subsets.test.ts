import { describe, expect, it } from 'vitest'
import type { EndpointSubset } from '../../api/types/core-v1.ts'
import { atOnce } from '../../base/steps.ts'
import { mostPackedAddresses, mostPackedSubsets, repackSubsets } from './repack-subsets.ts'

function range<T>(length: number, each: (index: number) => T): readonly T[] {
  return Array.from({ length }, (_, index) => each(index))
}

const ipOf = (index: number) => `10.${Math.floor(index / 62_500) + 1}.${Math.floor(index / 250) % 250}.${index % 250}`
const addressOf = (index: number) => ({ ip: ipOf(index) })
const portOf = (index: number) => ({ name: `p${index}`, port: index + 1, protocol: 'TCP' })

function addressCount(subsets: readonly EndpointSubset[]): number {
  return subsets.reduce((sum, { addresses = [] }) => sum + addresses.length, 0)
}

function repacked(subsets: readonly EndpointSubset[]) {
  return atOnce(repackSubsets(subsets))
}

describe('repacked subsets', () => {
  it('merge ports with the same addresses, in a stable order', () => {
    const [a, b, c] = [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }, { ip: '10.0.0.3' }]
    const [p, q, r] = [portOf(0), portOf(1), portOf(2)]
    const { subsets, leftOut } = repacked([
      { addresses: [b], notReadyAddresses: [c], ports: [r, q] },
      { addresses: [b, a], ports: [p] },
      { notReadyAddresses: [c], ports: [p] },
      { addresses: [a], ports: [q, r] },
    ])
    expect(leftOut).toBe(0)
    expect(subsets).toEqual([{ addresses: [a, b], notReadyAddresses: [c], ports: [p, r, q] }])
  })

  it('are computed with one look at each address, however many ports there are', () => {
    let reads = 0
    const counted = (index: number) => ({
      get ip() {
        reads += 1
        return ipOf(index)
      },
    })
    const { subsets } = repacked([{ addresses: range(300, counted), ports: range(300, portOf) }])
    expect(subsets.map(({ addresses, ports }) => [addresses?.length, ports?.length])).toEqual([[300, 300]])
    expect(reads).toBe(300)
  })

  it('are computed in steps of one subset or one set of ports', () => {
    const apart = range(50, (at) => ({ addresses: [addressOf(at)], ports: [portOf(at)] }))
    let rests = 0
    const steps = repackSubsets(apart)
    while (steps.next().done !== true) rests++
    expect(rests).toBe(3 * apart.length)
  })

  it('are a thousand at most', () => {
    const apart = range(mostPackedSubsets + 5, (at) => ({ addresses: [addressOf(at)], ports: [portOf(at)] }))
    const { subsets, leftOut } = repacked(apart)
    expect([subsets.length, leftOut]).toEqual([mostPackedSubsets, 5])
  })

  it('have a limit for all addresses, but always include one set of ports', () => {
    const half = range(mostPackedAddresses / 20, addressOf)
    const mixed = range(30, (at) => ({ addresses: half, ports: [portOf(at), portOf(at + 100)] }))
    const apart = mixed.map((subset, at) => ({ ...subset, addresses: [...subset.addresses, { ip: `10.9.0.${at}` }] }))
    const { subsets, leftOut } = repacked(apart)
    expect([subsets.length, leftOut]).toEqual([19, 22])
    expect(addressCount(subsets)).toBeLessThanOrEqual(mostPackedAddresses)
    const all = range(mostPackedAddresses + 1, addressOf)
    expect(addressCount(repacked([{ addresses: all, ports: [portOf(0)] }]).subsets)).toBe(all.length)
  })
})
