import { replicasAt, scaleOf } from '../../api/autoscaling/scale.ts'
import { notFound } from '../../api/error.ts'
import { type KubeObject, parseApiVersion } from '../../api/object.ts'
import type { HorizontalPodAutoscaler } from '../../api/types/autoscaling-v2.ts'
import { errorText } from '../../base/error-text.ts'
import type { ResourceContext } from '../../registry/context.ts'
import { applyMergePatch } from '../../registry/patch/merge-patch.ts'

export interface ScaleTarget {
  readonly context: ResourceContext
  readonly name: string
  readonly replicas: number
  /** How many Pods exist. */
  readonly existing: number
  /** Selects the counted Pods, as text. */
  readonly selector: string
}

/** The target of an autoscaler, or why it cannot be determined. */
export function scaleTarget(
  autoscalers: ResourceContext,
  { metadata, spec }: HorizontalPodAutoscaler,
): ScaleTarget | { readonly problem: string } {
  const { apiVersion = 'v1', kind, name } = spec.scaleTargetRef
  const { group } = parseApiVersion(apiVersion)
  const context = autoscalers.engine.find(group, kind)
  if (context === undefined) return { problem: `no matches for kind "${kind}" in group "${group}"` }
  if (context.kind.scale === undefined) return { problem: 'the server could not find the requested resource' }
  const object = context.cache.get({ namespace: metadata.namespace ?? '', name })?.object
  if (object === undefined) {
    return { problem: notFound({ group: context.kind.group, plural: `${context.kind.plural}/scale` }, name).message }
  }
  try {
    const { spec: wanted, status } = scaleOf(context.kind, object)
    return { context, name, replicas: wanted.replicas ?? 0, existing: status.replicas, selector: status.selector ?? '' }
  } catch (error) {
    return { problem: errorText(error) }
  }
}

/** The object with the new size; undefined if its size has changed since the plan was made. */
export function resizedObject(
  { context, replicas }: ScaleTarget,
  size: number,
): (object: KubeObject) => KubeObject | undefined {
  return (object) =>
    (scaleOf(context.kind, object).spec.replicas ?? 0) === replicas
      ? (applyMergePatch(object, replicasAt(context.kind, size)) as KubeObject)
      : undefined
}
