import { describe, expect, it } from 'vitest'
import { errorTexts, previewCreate, previewUpdate } from '../../../../tests/support/strategy-steps.ts'
import type { KubeObject } from '../../object.ts'
import type { Service } from '../../types/core-v1.ts'
import { service as kind } from './service.ts'
import {
  allocationsOf,
  needsClusterIP,
  needsHealthCheckNodePort,
  needsNodePorts,
  releasedAllocations,
  withClusterIP,
  withHealthCheckNodePort,
  withNodePort,
} from './service-allocation.ts'

const metadata = { name: 'sv', namespace: 'default' }
const isService = (object: KubeObject): object is Service => object.kind === 'Service'

function asService(object: KubeObject): Service {
  if (!isService(object)) throw new Error('The kind makes services.')
  return object
}

const created = (spec: object) => asService(previewCreate(kind, { metadata, spec }).object)
const updated = (spec: object, old: Service) => previewUpdate(kind, { metadata, spec }, old)
const ports = [
  { name: 'a', port: 80 },
  { name: 'b', port: 81 },
]

describe('the allocations that a Service needs', () => {
  it.each([
    [{ ports }, true, [], false],
    [{ ports, clusterIP: '10.0.0.5' }, false, [], false],
    [{ clusterIP: 'None', selector: { a: 'b' } }, false, [], false],
    [{ type: 'ExternalName', externalName: 'a.b' }, false, [], false],
    [{ ports, type: 'NodePort' }, true, [0, 1], false],
    [
      {
        ports: [
          { name: 'a', port: 1, nodePort: 30001 },
          { name: 'b', port: 2 },
        ],
        type: 'NodePort',
      },
      true,
      [1],
      false,
    ],
    [{ ports, type: 'LoadBalancer' }, true, [0, 1], false],
    [{ ports, type: 'LoadBalancer', allocateLoadBalancerNodePorts: false }, true, [], false],
    [{ ports, type: 'LoadBalancer', externalTrafficPolicy: 'Local' }, true, [0, 1], true],
  ])('%j', (spec, address, nodePorts, healthCheck) => {
    const service = created(spec)
    expect(needsClusterIP(service)).toBe(address)
    expect(needsNodePorts(service)).toEqual(nodePorts)
    expect(needsHealthCheckNodePort(service)).toBe(healthCheck)
  })

  it('are complete once they are assigned', () => {
    const balanced = created({ ports, type: 'LoadBalancer', externalTrafficPolicy: 'Local' })
    const given = withHealthCheckNodePort(
      withNodePort(withNodePort(withClusterIP(balanced, '10.0.0.9'), 0, 30001), 1, 30002),
      30003,
    )
    expect(needsClusterIP(given)).toBe(false)
    expect(needsNodePorts(given)).toEqual([])
    expect(given.spec).toMatchObject({ clusterIP: '10.0.0.9', clusterIPs: ['10.0.0.9'], healthCheckNodePort: 30003 })
    expect(allocationsOf(given)).toEqual({ clusterIPs: ['10.0.0.9'], nodePorts: [30001, 30002, 30003] })
    expect(kind.strategy.validate?.(given)).toEqual([])
  })
})

describe('the allocations that an update releases', () => {
  const nodePort = withNodePort(
    withNodePort(withClusterIP(created({ ports, type: 'NodePort' }), '10.0.0.9'), 0, 30001),
    1,
    30002,
  )

  it('are none while the client omits the assigned values', () => {
    const { object } = updated({ ports, type: 'NodePort' }, nodePort)
    expect(releasedAllocations(nodePort, asService(object))).toEqual({ clusterIPs: [], nodePorts: [] })
  })

  it('are the node ports of a Service that becomes a ClusterIP', () => {
    const outcome = updated({ ...nodePort.spec, type: 'ClusterIP' }, nodePort)
    expect(errorTexts(outcome)).toEqual([])
    expect(outcome.object.spec).not.toHaveProperty('externalTrafficPolicy')
    expect(releasedAllocations(nodePort, asService(outcome.object))).toEqual({
      clusterIPs: [],
      nodePorts: [30001, 30002],
    })
  })

  it('are all allocations of a Service that becomes an ExternalName', () => {
    const outcome = updated({ ...nodePort.spec, type: 'ExternalName', externalName: 'a.b' }, nodePort)
    expect(errorTexts(outcome)).toEqual([])
    expect(releasedAllocations(nodePort, asService(outcome.object))).toEqual(allocationsOf(nodePort))
  })

  it('are all allocations of a deleted Service', () => {
    expect(releasedAllocations(nodePort)).toEqual({ clusterIPs: ['10.0.0.9'], nodePorts: [30001, 30002] })
  })

  it('do not include a node port that the client asks for in the same request', () => {
    const spec = { type: 'ClusterIP', ports: [{ name: 'a', port: 80, nodePort: 31000 }] }
    expect(errorTexts(updated(spec, nodePort))).toEqual([
      "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
    ])
  })

  it('are replaced: an ExternalName that becomes a ClusterIP needs an address', () => {
    const alias = created({ type: 'ExternalName', externalName: 'a.b' })
    expect(needsClusterIP(asService(updated({ ports, type: 'ClusterIP' }, alias).object))).toBe(true)
  })
})
