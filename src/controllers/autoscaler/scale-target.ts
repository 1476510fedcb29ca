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
  /** How many there are. */
  readonly existing: number
  /** Of the Pods that are counted, as text. */
  readonly selector: string
}

/** What an autoscaler scales, or why that cannot be said. */
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

/** The object in another size; undefined if its size is no longer the one that was planned for. */
export function resizedObject(
  { context, replicas }: ScaleTarget,
  size: number,
): (object: KubeObject) => KubeObject | undefined {
  return (object) =>
    (scaleOf(context.kind, object).spec.replicas ?? 0) === replicas
      ? (applyMergePatch(object, replicasAt(context.kind, size)) as KubeObject)
      : undefined
}
