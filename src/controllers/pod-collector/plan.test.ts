import { describe, expect, it } from 'vitest'
import type { Taint } from '../../api/types/core-v1.ts'
import { type PodFacts, podFactsFrom } from '../pods/pod-facts.ts'
import { awaySince, orphanedMessage, outOfServiceMessage, strandedPods, surplusPods } from './plan.ts'

function pod(name: string, { node = '', phase = 'Running', isGoing = false, createdMs = 0 } = {}): PodFacts {
  const metadata = {
    name,
    namespace: 'a',
    uid: name,
    creationTimestamp: new Date(createdMs).toISOString(),
    ...(isGoing && { deletionTimestamp: '2026-01-01T00:00:00Z' }),
  }
  const spec = { containers: [], ...(node !== '' && { nodeName: node }) }
  return podFactsFrom({ apiVersion: 'v1', kind: 'Pod', metadata, spec, status: { phase } })
}

const outOfService: Taint = { key: 'node.kubernetes.io/out-of-service', value: 'nodeshutdown', effect: 'NoExecute' }
const notReady: Taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }

const taints = new Map<string, readonly Taint[]>([
  ['there', []],
  ['off', [outOfService, notReady]],
  ['said to be off', [outOfService]],
])
const nodes = { taintsOf: (name: string) => taints.get(name), gone: new Set(['gone']) }

describe('garbage collection of a Pod', () => {
  it.each([
    ['of a deleted node', pod('p', { node: 'gone' }), [{ message: orphanedMessage }]],
    [
      'that has finished, of a deleted node',
      pod('p', { node: 'gone', phase: 'Failed' }),
      [{ message: orphanedMessage }],
    ],
    ['of a node that is missing for a short time', pod('p', { node: 'away' }), []],
    ['of an existing node', pod('p', { node: 'there', isGoing: true }), []],
    ['without a node', pod('p', { phase: 'Pending' }), []],
    ['without a node, while it is being deleted', pod('p', { phase: 'Pending', isGoing: true }), [{}]],
    [
      'of a node out of service, while it is being deleted',
      pod('p', { node: 'off', isGoing: true }),
      [{ message: outOfServiceMessage }],
    ],
    ['of a node out of service', pod('p', { node: 'off' }), []],
    [
      'of a node that still reports, while it is being deleted',
      pod('p', { node: 'said to be off', isGoing: true }),
      [],
    ],
  ])('%s', (_, each, expected) => {
    expect(strandedPods([each], nodes)).toEqual(expected.map((removal) => ({ pod: each, ...removal })))
  })
})

it('a missing node is remembered until it is back or no Pod names it', () => {
  const pods = [pod('a', { node: 'x' }), pod('b', { node: 'x' }), pod('c', { node: 'there' }), pod('d')]
  const isThere = (name: string) => taints.has(name)
  const first = awaySince(pods, isThere, new Map(), 1_000)
  expect([...first]).toEqual([['x', 1_000]])
  expect([...awaySince(pods, isThere, first, 9_000)]).toEqual([['x', 1_000]])
  expect([...awaySince(pods.slice(2), isThere, first, 9_000)]).toEqual([])
})

it('of finished Pods the oldest beyond the limit are deleted', () => {
  const pods = [
    pod('new', { phase: 'Failed', createdMs: 3_000 }),
    pod('old', { phase: 'Succeeded', createdMs: 1_000 }),
    pod('running', { createdMs: 0 }),
    pod('going', { phase: 'Failed', isGoing: true }),
  ]
  expect(surplusPods(pods, 1).map((each) => each.pod.name)).toEqual(['old'])
  expect(surplusPods(pods, 2)).toEqual([])
})
