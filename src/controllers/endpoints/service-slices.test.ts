import { describe, expect, it } from 'vitest'
import type { Service } from '../../api/types/core-v1.ts'
import type { EndpointSlice } from '../../api/types/discovery-v1.ts'
import type { PodFacts } from '../pods/pod-facts.ts'
import { exampleOffers, examplePod, examplePods, exampleService, exampleTime, readySince } from './example-services.ts'
import { isNothingToWrite, type SlicePlan } from './plan-slices.ts'
import { planServiceSlices } from './service-slices.ts'

const zoneOf = (node: string) => (node === 'one' ? 'z1' : undefined)
let made = 0

function plan(service: Service, pods: readonly PodFacts[], before: readonly EndpointSlice[] = []): SlicePlan {
  const facts = { shares: undefined, wasShared: false }
  return planServiceSlices(service, exampleOffers(service, pods), before, zoneOf, facts).plan
}

/** The stored slices after the plan. */
function committed(before: readonly EndpointSlice[], { create, change, remove }: SlicePlan): readonly EndpointSlice[] {
  const left = before.filter((slice) => !remove.includes(slice))
  const changed = left.map((slice) => change.find((each) => each.before === slice)?.after ?? slice)
  const created = create.map((slice) => {
    made += 1
    return { ...slice, metadata: { ...slice.metadata, name: `web-${made}`, uid: `slice-${made}` } }
  })
  return [...changed, ...created]
}

function slicesOf(service: Service, pods: readonly PodFacts[], before: readonly EndpointSlice[] = []) {
  return committed(before, plan(service, pods, before))
}

function writes({ create, change, remove }: SlicePlan) {
  return { create: create.length, change: change.length, remove: remove.length }
}

function sizes(slices: readonly EndpointSlice[]): readonly number[] {
  return slices.map(({ endpoints }) => endpoints?.length ?? 0)
}

describe('the slices of a Service', () => {
  it('are one without endpoints if there are no Pods', () => {
    const [slice, ...more] = slicesOf(exampleService({}, { labels: { tier: 'front' } }), [])
    expect(more).toEqual([])
    expect(slice).toMatchObject({
      metadata: {
        generateName: 'web-',
        namespace: 'a',
        labels: {
          tier: 'front',
          'kubernetes.io/service-name': 'web',
          'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
        },
        annotations: { 'endpoints.kubernetes.io/last-change-trigger-time': exampleTime },
        ownerReferences: [{ apiVersion: 'v1', kind: 'Service', name: 'web', uid: 'service', controller: true }],
      },
      addressType: 'IPv4',
      endpoints: null,
      ports: null,
    })
    expect(isNothingToWrite(plan(exampleService({}, { labels: { tier: 'front' } }), [], slice ? [slice] : []))).toBe(
      true,
    )
  })

  it.each([
    ['is ready', {}, {}, { ready: true, serving: true, terminating: false }],
    ['is not ready', { ready: false }, {}, { ready: false, serving: false, terminating: false }],
    [
      'is terminating and still serves',
      { metadata: { deletionTimestamp: exampleTime } },
      {},
      { ready: false, serving: true, terminating: true },
    ],
    [
      'is wanted whatever its state',
      { ready: false, metadata: { deletionTimestamp: exampleTime } },
      { publishNotReadyAddresses: true },
      { ready: true, serving: false, terminating: true },
    ],
  ])('show that a Pod %s', (_, parts, spec, conditions) => {
    const [slice] = slicesOf(exampleService(spec), [examplePod(1, parts)])
    expect(slice?.endpoints).toEqual([
      {
        addresses: ['10.7.0.1'],
        conditions,
        nodeName: 'one',
        zone: 'z1',
        targetRef: { kind: 'Pod', namespace: 'a', name: 'web-1', uid: 'uid-1' },
      },
    ])
    expect(slice?.ports).toEqual([{ name: 'http', port: 8080, protocol: 'TCP' }])
  })

  it('exist for both families of a dual-stack Service', () => {
    const both = { status: { podIPs: [{ ip: '10.7.0.1' }, { ip: 'fd00::1' }] } }
    const service = exampleService({ ipFamilies: ['IPv4', 'IPv6'] })
    const slices = slicesOf(service, [examplePod(1, both), examplePod(2)])
    const shown = slices.map(({ addressType, endpoints }) => [addressType, endpoints?.map((each) => each.addresses)])
    expect(shown).toEqual([
      ['IPv4', [['10.7.0.1'], ['10.7.0.2']]],
      ['IPv6', [['fd00::1']]],
    ])
    const back = plan(exampleService(), [examplePod(1, both), examplePod(2)], slices)
    expect(back.remove.map(({ addressType }) => addressType)).toEqual(['IPv6'])
  })

  it('have zone hints with trafficDistribution PreferClose', () => {
    const [slice] = slicesOf(exampleService({ trafficDistribution: 'PreferClose' }), [examplePod(1)])
    expect(slice?.endpoints?.[0]?.hints).toEqual({ forZones: [{ name: 'z1' }] })
  })

  it('have zone hints for ready Pods only', () => {
    const service = exampleService({ trafficDistribution: 'PreferClose' })
    const [slice] = slicesOf(service, [examplePod(1), examplePod(2, { ready: false })])
    expect(slice?.endpoints?.map(({ hints }) => hints)).toEqual([{ forZones: [{ name: 'z1' }] }, undefined])
  })

  it('lose and regain zone hints when the Service changes', () => {
    const close = slicesOf(exampleService({ trafficDistribution: 'PreferClose' }), [examplePod(1)])
    const far = plan(exampleService(), [examplePod(1)], close)
    expect(writes(far)).toEqual({ create: 0, change: 1, remove: 0 })
    expect(far.change[0]?.after.endpoints?.[0]).not.toHaveProperty('hints')
    const again = plan(exampleService({ trafficDistribution: 'PreferClose' }), [examplePod(1)], committed(close, far))
    expect(again.change[0]?.after.endpoints?.[0]?.hints).toEqual({ forZones: [{ name: 'z1' }] })
  })

  it('have the host names of Pods, and a label for a headless Service', () => {
    const service = exampleService({ clusterIP: 'None', ports: [] })
    const [slice] = slicesOf(service, [examplePod(1, { spec: { hostname: 'db-0', subdomain: 'web' } })])
    expect(slice?.metadata.labels).toHaveProperty(['service.kubernetes.io/headless'], '')
    expect(slice).toMatchObject({ endpoints: [{ hostname: 'db-0' }], ports: null })
  })

  it('have one set of ports each', () => {
    const ports = [{ name: 'http', port: 80, targetPort: 'http', protocol: 'TCP' }]
    const at = (containerPort: number) => ({
      spec: { containers: [{ name: 'c', ports: [{ name: 'http', containerPort, protocol: 'TCP' }] }] },
    })
    const slices = slicesOf(exampleService({ ports }), [
      examplePod(1, at(1)),
      examplePod(2, at(2)),
      examplePod(3, at(1)),
    ])
    expect(slices.map(({ ports, endpoints }) => [ports?.[0]?.port, endpoints?.length])).toEqual([
      [1, 2],
      [2, 1],
    ])
  })

  it('hold at most a hundred endpoints each', () => {
    expect(sizes(slicesOf(exampleService(), examplePods(250)))).toEqual([100, 100, 50])
  })
})

describe('as few slices as possible are written', () => {
  const full = slicesOf(exampleService(), examplePods(250))

  it('none if nothing has changed, whatever the order of the Pods', () => {
    expect(isNothingToWrite(plan(exampleService(), [...examplePods(250)].reverse(), full))).toBe(true)
  })

  it('one if a Pod is no longer ready, with the trigger time', () => {
    const pods = [examplePod(1, { ready: false }), ...examplePods(250).slice(1)]
    const next = plan(exampleService(), pods, full)
    expect(writes(next)).toEqual({ create: 0, change: 1, remove: 0 })
    expect(next.change[0]?.after.metadata.annotations).toEqual({
      'endpoints.kubernetes.io/last-change-trigger-time': readySince,
    })
  })

  it('one if a Pod replaces another, since the changed slice takes it', () => {
    const next = plan(exampleService(), [...examplePods(250).slice(1), examplePod(900)], full)
    expect(writes(next)).toEqual({ create: 0, change: 1, remove: 0 })
    expect(sizes(committed(full, next))).toEqual([100, 100, 50])
  })

  it('one if new Pods fit into a slice with room', () => {
    const next = plan(exampleService(), examplePods(300), full)
    expect(writes(next)).toEqual({ create: 0, change: 1, remove: 0 })
    expect(sizes(committed(full, next))).toEqual([100, 100, 100])
  })

  it('one if new Pods fit into no slice, since they are not spread', () => {
    expect(writes(plan(exampleService(), examplePods(301), full))).toEqual({ create: 1, change: 0, remove: 0 })
  })

  it('one for the first Pods, which fill the empty slice', () => {
    const empty = slicesOf(exampleService(), [])
    const next = plan(exampleService(), examplePods(2), empty)
    expect(writes(next)).toEqual({ create: 0, change: 1, remove: 0 })
    const back = plan(exampleService(), [], committed(empty, next))
    expect(writes(back)).toEqual({ create: 0, change: 1, remove: 0 })
    expect(back.change[0]?.after).toMatchObject({ endpoints: null, ports: null })
  })

  it('all if the labels of the Service change', () => {
    const next = plan(exampleService({}, { labels: { l: 'v' } }), examplePods(250), full)
    expect(writes(next)).toEqual({ create: 0, change: 3, remove: 0 })
  })

  it('and slices of an earlier Service with the same name are deleted', () => {
    const next = plan(exampleService({}, { uid: 'another' }), examplePods(2), full)
    expect(writes(next)).toEqual({ create: 1, change: 0, remove: 3 })
  })

  it('and each endpoint is in exactly one slice, whatever happened before', () => {
    let slices: readonly EndpointSlice[] = []
    let state = 7
    const random = (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
      return state % below
    }
    let pods: readonly PodFacts[] = []
    for (let round = 0; round < 30; round++) {
      const gone = random(80)
      pods = [...pods.slice(gone), ...Array.from({ length: random(120) }, (_, at) => examplePod(round * 200 + at))]
      pods = pods.map((pod) => (random(10) === 0 ? { ...pod, isReady: !pod.isReady } : pod))
      slices = slicesOf(exampleService(), pods, slices)
      const held = slices.flatMap(({ endpoints }) => endpoints ?? []).map(({ targetRef }) => targetRef?.uid)
      expect(held.toSorted()).toEqual(pods.map(({ uid }) => uid).toSorted())
      expect(Math.max(...sizes(slices))).toBeLessThanOrEqual(100)
      expect(isNothingToWrite(plan(exampleService(), pods, slices))).toBe(true)
    }
  })
})
