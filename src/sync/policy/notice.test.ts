import { expect, it } from 'vitest'
import type { Refusal } from './contract.ts'
import { noticeOf } from './notice.ts'

const address = (index: number): Refusal => ({
  rule: 'endpointAddresses',
  field: `subsets[0].addresses[${index}].ip`,
  reason: `"127.0.0.${index}" is a loopback address`,
  remedy: 'policies.sync.endpointAddresses.allowed in tenant.yaml allows it',
})

const label = (name: string): Refusal => ({
  rule: 'labels',
  field: `metadata.labels["${name}"]`,
  reason: 'it is not among the labels that tenants may set',
  remedy: 'policies.sync.labels.allowed in tenant.yaml allows it',
  key: { map: 'labels', name },
})

it('lists each field, the reason and the remedy, and stays short however much was refused', () => {
  const many = [label('k8s-app'), label('x.io/y'), ...Array.from({ length: 500 }, (_, index) => address(index))]
  expect(noticeOf(many, false)).toEqual({
    reason: 'DroppedByPolicy',
    message:
      'not carried to the host: metadata.labels["k8s-app"], metadata.labels["x.io/y"]: it is not among the labels that tenants may set (policies.sync.labels.allowed in tenant.yaml allows it); subsets[0].addresses[0].ip: "127.0.0.0" is a loopback address, subsets[0].addresses[1].ip: "127.0.0.1" is a loopback address, subsets[0].addresses[2].ip: "127.0.0.2" is a loopback address and 497 more (policies.sync.endpointAddresses.allowed in tenant.yaml allows it)',
  })
})

it('reports when nothing is synced, and nothing when everything is', () => {
  expect(noticeOf([label('a/b')], true)?.reason).toBe('HeldBackByPolicy')
  expect(noticeOf([], false)).toBeUndefined()
})
