import type { KubeObject } from '../../api/object.ts'
import type { LabelSelector } from '../../api/selectors/label-selector.ts'
import { labelSelectorFrom } from '../../api/selectors/label-selector-object.ts'
import type { ReplicaSet, ReplicaSetStatus } from '../../api/types/apps-v1.ts'
import type { PodTemplateSpec, ReplicationController } from '../../api/types/core-v1.ts'

/** What a ReplicaSet and a ReplicationController have in common: a number of Pods of one template. */
export interface Replicated {
  readonly object: KubeObject
  readonly replicas: number
  readonly minReadySeconds: number
  readonly selector: LabelSelector
  readonly template: PodTemplateSpec | undefined
  readonly status: ReplicaSetStatus
}

export function replicatedBySet(object: KubeObject): Replicated {
  const { spec, status } = object as ReplicaSet
  const { replicas = 1, minReadySeconds = 0, selector, template } = spec
  return { object, replicas, minReadySeconds, selector: labelSelectorFrom(selector), template, status }
}

export function replicatedByController(object: KubeObject): Replicated {
  const { spec, status } = object as ReplicationController
  const { replicas = 1, minReadySeconds = 0, selector = {}, template } = spec
  const isEmpty = Object.keys(selector).length === 0
  return {
    object,
    replicas,
    minReadySeconds,
    selector: labelSelectorFrom(isEmpty ? undefined : { matchLabels: selector }),
    template,
    status,
  }
}
