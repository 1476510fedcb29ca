import { describe, expect, it } from 'vitest'
import { stuckPods } from './stuck-pods.ts'

function pod(revision: string, isReady = false) {
  const conditions = [{ type: 'Ready', status: isReady ? 'True' : 'False' }]
  const metadata = { name: 'a-0', labels: { 'controller-revision-hash': revision } }
  return { apiVersion: 'v1', kind: 'Pod', metadata, status: { conditions } }
}

function set(observedGeneration: number, updateRevision = 'new') {
  const status = { observedGeneration, updateRevision }
  return { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'a', generation: 2 }, status }
}

describe('a Pod is in the way of a StatefulSet', () => {
  it.each([
    ['of before, and not ready', pod('old'), set(2), true],
    ['of before, and ready: the controller replaces it', pod('old', true), set(2), false],
    ['as wanted now, and not ready yet', pod('new'), set(2), false],
    ['as the controller last knew, which has not seen what is wanted now', pod('new'), set(1), true],
  ])('%s', (_, each, workload, isStuck) => {
    expect(stuckPods([each], workload)).toEqual(isStuck ? [each] : [])
  })
})
