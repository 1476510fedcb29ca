import { describe, expect, it } from 'vitest'
import type { Endpoints, Service } from '../../api/types/core-v1.ts'
import { atOnce } from '../../base/steps.ts'
import type { PodFacts } from '../pods/pod-facts.ts'
import { exampleOffers, examplePod, examplePods, exampleService, exampleTime, readySince } from './example-services.ts'
import { planEndpoints } from './plan-endpoints.ts'

const trigger = 'endpoints.kubernetes.io/last-change-trigger-time'
const overCapacity = 'endpoints.kubernetes.io/over-capacity'

function ready(number: number, more: object = {}) {
  const targetRef = { kind: 'Pod', namespace: 'a', name: `web-${number}`, uid: `uid-${number}` }
  return { ip: `10.7.0.${number}`, ...more, nodeName: 'one', targetRef }
}

const http = { name: 'http', port: 8080, protocol: 'TCP' }

function plan(service: Service, pods: readonly PodFacts[], before?: Endpoints): Endpoints | undefined {
  return atOnce(planEndpoints(service, exampleOffers(service, pods), before))
}

/** The Endpoints as stored. */
function written(service: Service, pods: readonly PodFacts[], before?: Endpoints): Endpoints {
  const wanted = plan(service, pods, before)
  if (wanted === undefined) throw new Error('nothing was to be written')
  return wanted
}

function subsetsOf(service: Service, ...pods: readonly PodFacts[]) {
  return written(service, pods).subsets
}

describe('the Endpoints of a Service', () => {
  it('exist even without Pods', () => {
    expect(written(exampleService(), [])).toEqual({
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { name: 'web', namespace: 'a', annotations: { [trigger]: exampleTime } },
    })
  })

  it('separate ready from not ready addresses', () => {
    expect(subsetsOf(exampleService(), examplePod(2, { ready: false }), examplePod(1))).toEqual([
      { addresses: [ready(1)], notReadyAddresses: [ready(2)], ports: [http] },
    ])
  })

  it.each([
    ['has no address yet', { status: { podIP: '', podIPs: [] } }],
    ['has ended', { status: { phase: 'Succeeded' } }],
    ['is terminating', { metadata: { deletionTimestamp: exampleTime } }],
    ['has no address of the family', { status: { podIPs: [{ ip: 'fd00::1' }] } }],
  ])('leave out a Pod that %s', (_, parts) => {
    expect(subsetsOf(exampleService(), examplePod(1, parts))).toBeUndefined()
  })

  it('list all Pods as ready with publishNotReadyAddresses', () => {
    const service = exampleService({ publishNotReadyAddresses: true })
    const going = examplePod(2, { metadata: { deletionTimestamp: exampleTime } })
    expect(subsetsOf(service, examplePod(1, { ready: false }), going)).toEqual([
      { addresses: [ready(1), ready(2)], ports: [http] },
    ])
  })

  it('resolve named ports, in sidecars too, and omit those that a Pod lacks', () => {
    const ports = [
      { name: 'a', port: 80, targetPort: 'http', protocol: 'TCP' },
      { name: 'b', port: 81, targetPort: 'side', protocol: 'UDP' },
      { name: 'c', port: 82, targetPort: 'http', protocol: 'UDP' },
    ]
    const containers = [{ name: 'c', ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }] }]
    const side = { name: 's', ports: [{ name: 'side', containerPort: 9, protocol: 'UDP' }] }
    const pod = examplePod(1, { spec: { containers, initContainers: [{ ...side, restartPolicy: 'Always' }, side] } })
    expect(subsetsOf(exampleService({ ports }), pod)).toEqual([
      {
        addresses: [ready(1)],
        ports: [
          { name: 'a', port: 8080, protocol: 'TCP' },
          { name: 'b', port: 9, protocol: 'UDP' },
        ],
      },
    ])
  })

  it('have one subset for each set of Pods with the same ports', () => {
    const ports = [{ name: 'http', port: 80, targetPort: 'http', protocol: 'TCP' }]
    const at = (containerPort: number) => ({
      spec: { containers: [{ name: 'c', ports: [{ name: 'http', containerPort, protocol: 'TCP' }] }] },
    })
    const pods = [examplePod(1, at(9000)), examplePod(2, at(8000)), examplePod(3, at(9000))]
    expect(subsetsOf(exampleService({ ports }), ...pods)).toMatchObject([
      { addresses: [{ ip: '10.7.0.2' }], ports: [{ port: 8000 }] },
      { addresses: [{ ip: '10.7.0.1' }, { ip: '10.7.0.3' }], ports: [{ port: 9000 }] },
    ])
  })

  it('have host names for a headless Service, which needs no ports', () => {
    const service = exampleService({ clusterIP: 'None', clusterIPs: ['None'], ports: [] })
    const named = examplePod(1, { spec: { hostname: 'db-0', subdomain: 'web' } })
    const other = examplePod(2, { spec: { hostname: 'db-0', subdomain: 'else' } })
    const { metadata, subsets } = written(service, [named, other])
    expect(metadata.labels).toEqual({ 'service.kubernetes.io/headless': '' })
    expect(subsets).toEqual([{ addresses: [{ ...ready(1), hostname: 'db-0' }, ready(2)] }])
  })

  it('are not headless while the Service waits for its cluster IP', () => {
    const { clusterIP: _, ...spec } = exampleService().spec
    expect(plan({ ...exampleService(), spec }, [])?.metadata.labels).toBeUndefined()
  })

  it('copy the labels of the Service, and are not written without a change', () => {
    const service = exampleService({}, { labels: { tier: 'front' } })
    const pods = examplePods(3)
    const before = written(service, pods)
    expect(before.metadata.labels).toEqual({ tier: 'front' })
    expect(plan(service, [...pods].reverse(), before)).toBeUndefined()
    expect(plan(exampleService(), pods, before)?.metadata.labels).toBeUndefined()
  })

  it('have the trigger time of the change, and keep annotations of others', () => {
    const service = exampleService()
    const before = written(service, examplePods(1))
    expect(before.metadata.annotations).toEqual({ [trigger]: exampleTime })
    const noted = { ...before, metadata: { ...before.metadata, annotations: { mine: 'yes' } } }
    const more = written(service, examplePods(2), noted)
    expect(more.metadata.annotations).toEqual({ mine: 'yes', [trigger]: readySince })
    expect(written(service, [], more).metadata.annotations).toEqual({ mine: 'yes' })
  })

  it('have at most 1,000 addresses, ready ones first, with an annotation if there are more', () => {
    const many = [
      ...examplePods(900),
      ...Array.from({ length: 200 }, (_, at) => examplePod(1000 + at, { ready: false })),
    ]
    const { metadata, subsets = [] } = written(exampleService(), many)
    expect(subsets.map(({ addresses, notReadyAddresses }) => [addresses?.length, notReadyAddresses?.length])).toEqual([
      [900, 100],
    ])
    expect(metadata.annotations).toMatchObject({ [overCapacity]: 'truncated' })
    const before = written(exampleService(), many)
    expect(plan(exampleService(), many, before)).toBeUndefined()
    const fewer = written(exampleService(), examplePods(1000), before)
    expect(fewer.metadata.annotations).not.toHaveProperty(overCapacity)
    expect(fewer.subsets?.[0]?.addresses).toHaveLength(1000)
  })

  it('omit addresses that are not ready if ready ones reach the limit', () => {
    const [subset, ...more] =
      written(exampleService(), [...examplePods(1001), examplePod(2000, { ready: false })]).subsets ?? []
    expect(more).toEqual([])
    expect(subset?.addresses).toHaveLength(1000)
    expect(subset?.notReadyAddresses).toBeUndefined()
  })
})
