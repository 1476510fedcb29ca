import { describe, expect, it } from 'vitest'
import { daemonNodeFrom } from '../daemon-set/daemon-node.ts'
import type { PodFacts } from '../pods/pod-facts.ts'
import { exampleOffers, examplePod, exampleService } from './example-services.ts'
import { planServiceSlices } from './service-slices.ts'
import type { ZoneShares } from './zone-allocations.ts'
import { zoneSharesOf } from './zone-shares.ts'

const auto = exampleService({}, { annotations: { 'service.kubernetes.io/topology-mode': 'Auto' } })

function node(zone: string | undefined, { cpu = '4', ready = 'True', labels = {} } = {}) {
  return daemonNodeFrom({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'n', labels: { ...labels, ...(zone && { 'topology.kubernetes.io/zone': zone }) } },
    spec: {},
    status: { allocatable: { cpu }, conditions: [{ type: 'Ready', status: ready }] },
  })
}

const equalZones = zoneSharesOf([node('z1'), node('z2'), node('z3')])

/** One Pod for each zone given. */
function podsIn(...zones: readonly string[]): readonly PodFacts[] {
  return zones.map((nodeName, index) => examplePod(index + 1, { spec: { nodeName } }))
}

function hintsOf(pods: readonly PodFacts[], shares: ZoneShares | undefined, wasShared = false, service = auto) {
  const zoneOf = (name: string) => (name === 'none' ? undefined : name)
  const { plan, news, isShared } = planServiceSlices(service, exampleOffers(service, pods), [], zoneOf, {
    shares,
    wasShared,
  })
  const endpoints = plan.create.flatMap((slice) => slice.endpoints ?? [])
  return { zones: endpoints.map(({ hints }) => hints?.forZones?.map(({ name }) => name).join() ?? '-'), news, isShared }
}

const enabled = {
  type: 'Normal',
  reason: 'TopologyAwareHintsEnabled',
  message: 'Topology Aware Hints has been enabled, addressType: IPv4',
}

function disabled(problem: string) {
  return [{ type: 'Warning', reason: 'TopologyAwareHintsDisabled', message: `${problem}, addressType: IPv4` }]
}

describe('a Service with topology-aware hints', () => {
  it('keeps each endpoint in its zone if all zones have their share', () => {
    const even = hintsOf(podsIn('z1', 'z2', 'z3', 'z1', 'z2', 'z3'), equalZones)
    expect(even).toEqual({ zones: ['z1', 'z2', 'z3', 'z1', 'z2', 'z3'], news: [enabled], isShared: true })
    expect(hintsOf(podsIn('z1', 'z2', 'z3'), equalZones, true).news).toEqual([])
  })

  it('assigns endpoints to zones that have too few', () => {
    const { zones } = hintsOf(podsIn('z1', 'z1', 'z1', 'z1', 'z2', 'z3'), equalZones)
    expect(zones.toSorted()).toEqual(['z1', 'z1', 'z2', 'z2', 'z3', 'z3'])
  })

  it('gives more of them to a zone with more CPUs', () => {
    const shares = zoneSharesOf([node('z1', { cpu: '12' }), node('z2', { cpu: '4' })])
    const { zones } = hintsOf(podsIn('z1', 'z1', 'z1', 'z1', 'z2', 'z2', 'z2', 'z2'), shares)
    expect(zones.toSorted()).toEqual(['z1', 'z1', 'z1', 'z1', 'z1', 'z1', 'z2', 'z2'])
  })

  it('sets no hints for endpoints that are not ready', () => {
    const pods = [...podsIn('z1', 'z2', 'z3'), examplePod(9, { ready: false, spec: { nodeName: 'z1' } })]
    expect(hintsOf(pods, equalZones).zones).toEqual(['z1', 'z2', 'z3', '-'])
  })

  const noNodes = 'Insufficient Node information: allocatable CPU or zone not specified on one or more nodes'

  const manyZones = Array.from({ length: 101 }, (_, index) => `z${index}`)

  it.each([
    [
      'there are fewer endpoints than zones',
      podsIn('z1', 'z2'),
      equalZones,
      'Insufficient number of endpoints (2 endpoints, 3 zones)',
    ],
    [
      'an endpoint has no zone',
      podsIn('z1', 'z2', 'none'),
      equalZones,
      'One or more endpoints do not have a zone specified',
    ],
    [
      'a zone would get too much',
      podsIn('z1', 'z2', 'z3', 'z1'),
      equalZones,
      'Unable to allocate minimum required endpoints to each zone without exceeding overload threshold (4 endpoints, 3 zones)',
    ],
    [
      'a node does not say its zone',
      podsIn('z1', 'z2'),
      zoneSharesOf([node('z1'), node('z2'), node(undefined)]),
      noNodes,
    ],
    [
      'a node does not report its CPUs',
      podsIn('z1', 'z2'),
      zoneSharesOf([node('z1'), node('z2', { cpu: '0' })]),
      noNodes,
    ],
    ['all nodes are in one zone', podsIn('z1', 'z2'), zoneSharesOf([node('z1'), node('z1')]), noNodes],
    ['there are too many zones', podsIn(...manyZones), zoneSharesOf(manyZones.map((zone) => node(zone))), noNodes],
  ])('has no hints if %s', (_, pods, shares, problem) => {
    expect(hintsOf(pods, shares)).toEqual({ zones: pods.map(() => '-'), news: disabled(problem), isShared: false })
  })

  it('ignores unready nodes and nodes of the control plane', () => {
    const control = node(undefined, { labels: { 'node-role.kubernetes.io/control-plane': '' } })
    const shares = zoneSharesOf([node('z1'), node('z2'), node(undefined, { ready: 'False' }), control])
    expect([...(shares ?? [])]).toEqual([
      ['z1', 0.5],
      ['z2', 0.5],
    ])
  })

  it('reports when hints are disabled', () => {
    const plain = hintsOf(podsIn('z1', 'z2', 'z3'), equalZones, true, exampleService())
    expect(plain).toEqual({
      zones: ['-', '-', '-'],
      news: disabled('Topology Aware Hints has been disabled'),
      isShared: false,
    })
  })
})
