import type { KubeObject } from '../../api/object.ts'
import type { Node, Taint } from '../../api/types/core-v1.ts'
import { type AdmissionPlugin, isCore } from './contract.ts'

const notReady: Taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }

/** No pod is scheduled to a node that has not reported that it is ready. */
export const taintNewNodes: AdmissionPlugin = {
  name: 'TaintNodesByCondition',
  handles: (kind) => isCore(kind, 'Node'),
  mutate: (object, { old }) => (old === undefined ? withTaint(object as Node) : object),
}

function withTaint(node: Node): KubeObject {
  const taints = node.spec.taints ?? []
  if (taints.some(({ key, effect }) => key === notReady.key && effect === notReady.effect)) return node
  return { ...node, spec: { ...node.spec, taints: [...taints, notReady] } }
}
