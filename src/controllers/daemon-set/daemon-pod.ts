import type { KubeObject } from '../../api/object.ts'
import type { DaemonSet } from '../../api/types/apps-v1.ts'
import type { Affinity } from '../../api/types/core-v1.ts'
import { podFromTemplate } from '../pods/pod-from-template.ts'
import { tolerationsOf } from './placement.ts'

export const daemonHashLabel = 'controller-revision-hash'

/** Older clients still rely on it. */
const generationLabel = 'pod-template-generation'
const generationAnnotation = 'deprecated.daemonset.template.generation'

/** Creates Pods for any node, computing the shared part once. */
export function daemonPods(daemonSet: DaemonSet, hash: string): (nodeName: string) => KubeObject {
  const { template } = daemonSet.spec
  const pod = podFromTemplate(daemonSet, template)
  const generation = daemonSet.metadata.annotations?.[generationAnnotation]
  const labels = {
    ...template.metadata.labels,
    ...(generation !== undefined && { [generationLabel]: generation }),
    [daemonHashLabel]: hash,
  }
  const tolerations = tolerationsOf(template.spec)
  return (nodeName) => ({
    ...pod,
    metadata: { ...pod.metadata, labels },
    spec: { ...template.spec, tolerations, affinity: onNode(template.spec.affinity, nodeName) },
  })
}

/** Replaces the other required terms, which are known to hold. */
function onNode(affinity: Affinity = {}, nodeName: string): Affinity {
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [nodeName] }]
  return {
    ...affinity,
    nodeAffinity: {
      ...affinity.nodeAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] },
    },
  }
}
