import { expect, it } from 'vitest'
import type { KubeObject } from '../../object.ts'
import type { Node, Taint } from '../../types/core-v1.ts'
import { withLifecycleTaints } from './lifecycle-taints.ts'

const now = '2030-01-01T00:00:00Z'
const notReady: Taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }
const cordon: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule', timeAdded: now }
const own: Taint = { key: 'dedicated', value: 'us', effect: 'NoSchedule' }
const gone: Taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' }

function nodeWith(spec: Node['spec'], ready?: string): Node {
  const conditions = ready === undefined ? {} : { conditions: [{ type: 'Ready', status: ready }] }
  const node: KubeObject = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, spec, status: conditions }
  return node as Node
}

it.each<[string, Node, readonly Taint[] | undefined | 'same']>([
  ['a new node that is ready', nodeWith({ taints: [notReady] }, 'True'), undefined],
  ['a new node that has not said so', nodeWith({ taints: [notReady] }), 'same'],
  ['a node that is no longer ready', nodeWith({}, 'False'), [{ ...notReady, timeAdded: now }]],
  ['a node that was cordoned', nodeWith({ unschedulable: true, taints: [own] }, 'True'), [own, cordon]],
  ['a node that was uncordoned', nodeWith({ taints: [cordon, own] }, 'True'), [own]],
  ['a node with taints of others alone', nodeWith({ taints: [own, gone] }, 'True'), 'same'],
])('%s', (_, node, taints) => {
  const tainted = withLifecycleTaints(node, now)
  if (taints === 'same') expect(tainted).toBeUndefined()
  else expect(tainted?.spec.taints).toEqual(taints)
})
