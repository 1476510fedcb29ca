import { describe, expect, it } from 'vitest'
import { rulesFor } from '../../../tests/support/examples/worlds.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Pod } from '../../api/types/core-v1.ts'
import { podsSync } from '../kinds/pods/pods.ts'
import { virtualEvent } from './virtual-event.ts'

const { names } = rulesFor(podsSync, 'Pod').setting
const pod: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'shop', uid: 'u1' },
  spec: { containers: [], volumes: [{ name: 'tls', secret: { secretName: 'certs' } }] },
  status: {},
}
const copy = names.of('shop', 'web')

function hostEvent(fields: object = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { ...copy, name: `${copy.name}.17a`, uid: 'e1' },
    involvedObject: { kind: 'Pod', ...copy, uid: 'h1', fieldPath: 'spec.containers{main}' },
    reason: 'Failed',
    message: `secret "${names.of('shop', 'certs').name}" not found`,
    source: { component: 'kubelet', host: 'node-1' },
    firstTimestamp: '2026-01-01T00:00:00Z',
    lastTimestamp: '2026-01-01T00:00:05Z',
    count: 3,
    type: 'Warning',
    ...fields,
  }
}

describe('an Event of the host about a copy', () => {
  it('is copied to the virtual Pod, with the names of the virtual cluster', () => {
    expect(virtualEvent(hostEvent(), { kind: 'Pod', object: pod }, names)).toMatchObject({
      metadata: { namespace: 'shop', name: expect.stringMatching(/^web\.[0-9a-z]{13}$/) },
      involvedObject: { kind: 'Pod', namespace: 'shop', name: 'web', uid: 'u1', fieldPath: 'spec.containers{main}' },
      reason: 'Failed',
      message: 'secret "certs" not found',
      source: { component: 'kubelet', host: 'node-1' },
      type: 'Warning',
      count: 3,
    })
  })

  it('always gets the same name', () => {
    const again = virtualEvent(hostEvent({ count: 4 }), { kind: 'Pod', object: pod }, names)
    expect(again?.metadata.name).toBe(virtualEvent(hostEvent(), { kind: 'Pod', object: pod }, names)?.metadata.name)
  })

  it('of a series has its count and times', () => {
    const eventTime = '2026-01-01T00:00:00.123456Z'
    const series = { count: 7, lastObservedTime: '2026-01-01T00:01:00.000000Z' }
    const source = {}
    const none = { count: undefined, firstTimestamp: null, lastTimestamp: null }
    const told = hostEvent({ ...none, source, reportingComponent: 'default-scheduler', eventTime, series })
    expect(virtualEvent(told, { kind: 'Pod', object: pod }, names)).toMatchObject({
      source: { component: 'default-scheduler' },
      count: 7,
      firstTimestamp: '2026-01-01T00:00:00Z',
      lastTimestamp: '2026-01-01T00:01:00Z',
    })
  })

  it('does not reveal which Pod preempted it', () => {
    const told = hostEvent({ reason: 'Preempted', message: 'Preempted by kube-system/db on node node-1' })
    expect(virtualEvent(told, { kind: 'Pod', object: pod }, names)).toMatchObject({
      message: expect.not.stringContaining('db'),
    })
  })

  it.each([
    ['comes from a component that may speak of the host', { source: { component: 'cluster-autoscaler' } }],
    ['names a Pod of another owner', { message: 'Exceeded quota of tenants/db' }],
    ['names a copy of another tenant', { message: 'Waiting for v-db-0123456789abc' }],
  ])('is not copied if it %s', (_, fields) => {
    expect(virtualEvent(hostEvent(fields), { kind: 'Pod', object: pod }, names)).toBeUndefined()
  })

  it('of a claim is copied to the virtual claim', () => {
    const claim: KubeObject = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data', namespace: 'shop', uid: 'c1' },
    }
    const host = names.of('shop', 'data')
    const told = hostEvent({
      involvedObject: { kind: 'PersistentVolumeClaim', ...host, uid: 'h1' },
      reason: 'ProvisioningFailed',
      message: `claim ${host.namespace}/${host.name}: storageclass.storage.k8s.io "fast" not found`,
      source: { component: 'persistentvolume-controller' },
    })
    expect(virtualEvent(told, { kind: 'PersistentVolumeClaim', object: claim }, names)).toMatchObject({
      involvedObject: { kind: 'PersistentVolumeClaim', namespace: 'shop', name: 'data', uid: 'c1' },
      message: 'claim shop/data: storageclass.storage.k8s.io "fast" not found',
    })
  })
})
