import { describe, expect, it } from 'vitest'
import { inDeletionOrder } from './deletion-order.ts'
import { podFactsFrom } from './pod-facts.ts'

const nowMs = Date.UTC(2030, 0, 1)

/** A Pod that has been ready on a node for an hour, unless specified otherwise. */
function pod(name: string, { metadata = {}, spec = {}, status = {} }: Parts = {}) {
  const ready = { type: 'Ready', status: 'True', lastTransitionTime: agoBy(3_600) }
  return podFactsFrom({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'a', uid: name, creationTimestamp: agoBy(7_200), ...metadata },
    spec: { nodeName: 'one', containers: [], ...spec },
    status: { phase: 'Running', conditions: [ready], ...status },
  })
}

interface Parts {
  readonly metadata?: object
  readonly spec?: object
  readonly status?: object
}

function agoBy(seconds: number): string {
  return new Date(nowMs - seconds * 1000).toISOString()
}

function readyFor(seconds: number) {
  return { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: agoBy(seconds) }] }
}

function restarted(restartCount: number) {
  return { containerStatuses: [{ name: 'c', restartCount }] }
}

const cost = (value: string) => ({ annotations: { 'controller.kubernetes.io/pod-deletion-cost': value } })

describe('of two Pods the one is deleted first', () => {
  it.each([
    ['that has no node', pod('z', { spec: { nodeName: '' } })],
    ['that is pending', pod('z', { status: { phase: 'Pending' } })],
    ['with an unknown phase', pod('z', { status: { phase: 'Unknown' } })],
    ['that is not ready', pod('z', { status: { conditions: [] } })],
    ['that costs less', pod('z', { metadata: cost('-1') })],
    ['that became ready later, by magnitude', pod('z', { status: readyFor(60) })],
    ['that was restarted more often', pod('z', { status: { ...readyFor(3_600), ...restarted(2) } })],
    ['that is younger, by magnitude', pod('z', { metadata: { creationTimestamp: agoBy(3_601) } })],
  ])('%s', (_, first) => {
    const second = pod('a')
    expect(inDeletionOrder([second, first], [second, first], nowMs).map(({ name }) => name)).toEqual(['z', 'a'])
  })

  it('whose node has more Pods of the workload', () => {
    const crowded = [pod('x'), pod('z')]
    const alone = pod('a', { spec: { nodeName: 'two' } })
    const order = inDeletionOrder([alone, ...crowded], [alone, ...crowded], nowMs)
    expect(order.map(({ name }) => name)).toEqual(['x', 'z', 'a'])
  })

  it.each(['1.5', 'much', '99999999999', '+1'])('and a cost of %s is ignored', (value) => {
    const odd = pod('b', { metadata: cost(value) })
    expect(inDeletionOrder([odd, pod('a')], [], nowMs).map(({ name }) => name)).toEqual(['a', 'b'])
  })

  it('whose uid comes first, if all else is equal', () => {
    expect(inDeletionOrder([pod('b'), pod('a')], [], nowMs).map(({ name }) => name)).toEqual(['a', 'b'])
  })
})
