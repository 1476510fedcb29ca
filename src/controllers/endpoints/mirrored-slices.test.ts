import { describe, expect, it } from 'vitest'
import type { Endpoints } from '../../api/types/core-v1.ts'
import { atOnce } from '../../base/steps.ts'
import { isMirrored, planMirroredSlices } from './mirrored-slices.ts'
import { isNothingToWrite } from './plan-slices.ts'

const port = { name: 'http', port: 80, protocol: 'TCP' }

function endpointsOf(subsets: Endpoints['subsets'], metadata: object = {}): Endpoints {
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { name: 'db', namespace: 'a', uid: 'endpoints', ...metadata },
    subsets: subsets ?? [],
  }
}

function planned(...given: Parameters<typeof planMirroredSlices>) {
  return atOnce(planMirroredSlices(...given))
}

describe('Endpoints that were written by hand', () => {
  it('are mirrored into EndpointSlices', () => {
    const labels = { tier: 'back' }
    const annotations = { mine: 'yes', 'kubectl.kubernetes.io/last-applied-configuration': '{}' }
    const addresses = [{ ip: '10.1.0.1', hostname: 'one', nodeName: 'n' }, { ip: 'fd00::1' }]
    const subsets = [{ addresses, notReadyAddresses: [{ ip: '10.1.0.2' }], ports: [port] }]
    const { create, change, remove } = planned(endpointsOf(subsets, { labels, annotations }), [])
    expect([change, remove]).toEqual([[], []])
    expect(create.map(({ addressType, endpoints }) => [addressType, endpoints])).toEqual([
      [
        'IPv4',
        [
          { addresses: ['10.1.0.1'], conditions: { ready: true }, hostname: 'one', nodeName: 'n' },
          { addresses: ['10.1.0.2'], conditions: { ready: false } },
        ],
      ],
      ['IPv6', [{ addresses: ['fd00::1'], conditions: { ready: true } }]],
    ])
    expect(create[0]).toMatchObject({
      metadata: {
        generateName: 'db-',
        labels: {
          tier: 'back',
          'kubernetes.io/service-name': 'db',
          'endpointslice.kubernetes.io/managed-by': 'endpointslicemirroring-controller.k8s.io',
        },
        annotations: { mine: 'yes' },
        ownerReferences: [{ kind: 'Endpoints', name: 'db', uid: 'endpoints', controller: true }],
      },
      ports: [port],
    })
  })

  it('are written once', () => {
    const endpoints = endpointsOf([{ addresses: [{ ip: '10.1.0.1' }], ports: [port] }])
    expect(isNothingToWrite(planned(endpoints, planned(endpoints, []).create))).toBe(true)
  })

  it('share slices if their ports are equal, and have none without addresses', () => {
    const subsets = ['10.1.0.1', '10.1.0.2'].map((ip) => ({ addresses: [{ ip }], ports: [port] }))
    expect(planned(endpointsOf(subsets), []).create).toHaveLength(1)
    expect(isNothingToWrite(planned(endpointsOf([]), []))).toBe(true)
  })

  it('are mirrored up to 1,000 addresses of a subset, and invalid addresses are counted', () => {
    const addresses = Array.from({ length: 1_005 }, (_, at) => ({ ip: `10.1.${Math.floor(at / 250)}.${at % 250}` }))
    const plan = planned(endpointsOf([{ addresses: [...addresses, { ip: 'none' }], ports: [port] }]), [])
    expect(plan).toMatchObject({ invalid: 1, skipped: 5 })
    expect(plan.create.map(({ endpoints }) => endpoints?.length)).toEqual([1_000])
  })

  it('are compared with each slice once, however many sets of ports there are', () => {
    const subsets = Array.from({ length: 60 }, (_, at) => ({
      addresses: [{ ip: `10.1.0.${at}` }],
      ports: [{ name: 'http', port: at + 1, protocol: 'TCP' }],
    }))
    let reads = 0
    const existing = planned(endpointsOf(subsets), []).create.map(({ ports, ...slice }) => ({
      ...slice,
      get ports() {
        reads += 1
        return ports ?? null
      },
    }))
    expect(existing).toHaveLength(60)
    expect(isNothingToWrite(planned(endpointsOf(subsets), existing))).toBe(true)
    expect(reads).toBeLessThanOrEqual(2 * existing.length)
  })

  it('reuse slices of removed ports of the same address family', () => {
    const withPort = (number: number) => {
      const ports = [{ name: 'http', port: number, protocol: 'TCP' }]
      return endpointsOf([{ addresses: [{ ip: '10.1.0.1' }, { ip: 'fd00::1' }], ports }])
    }
    const before = planned(withPort(1), []).create
    const { create, change, remove } = planned(withPort(2), before)
    expect([create, remove]).toEqual([[], []])
    expect(change.map((each) => [each.before.addressType, each.after.ports?.[0]?.port])).toEqual([
      ['IPv4', 2],
      ['IPv6', 2],
    ])
  })

  it.each([
    ['their owner does not want it', { labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } }],
    ['they are a lock', { annotations: { 'control-plane.alpha.kubernetes.io/leader': '{}' } }],
  ])('are not mirrored if %s', (_, metadata) => {
    expect(isMirrored(endpointsOf([], metadata))).toBe(false)
    expect(isMirrored(endpointsOf([]))).toBe(true)
  })
})
