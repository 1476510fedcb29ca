import { scaleOf } from '../../api/autoscaling/scale.ts'
import { qualifiedResource } from '../../api/kind.ts'
import { type KubeObject, type OwnerReference, parseApiVersion } from '../../api/object.ts'
import { errorText } from '../../base/error-text.ts'
import type { Engine, ResourceContext } from '../../registry/context.ts'
import { controllerIn } from '../ownership/owned.ts'
import type { PodFacts } from '../pods/pod-facts.ts'

export type ExpectedScale =
  | { readonly replicas: number; readonly hasUnmanagedPods: boolean }
  /** Why it cannot be determined. */
  | { readonly problem: string }

/** The total number of Pods that the controllers of these Pods want, for every kind with `/scale`. */
export function expectedScale(engine: Engine, pods: readonly PodFacts[]): ExpectedScale {
  const scales = new Map<string, number>()
  const asked = new Set<string>()
  for (const { namespace, name, controller } of pods) {
    if (controller === undefined || asked.has(controller.uid)) continue
    asked.add(controller.uid)
    const found = scaledOwner(engine, namespace, controller)
    if (typeof found === 'string') return { problem: found }
    if (found === undefined) return { problem: `found no controllers for pod "${name}"` }
    scales.set(found.uid, found.replicas)
  }
  const replicas = [...scales.values()].reduce((sum, each) => sum + each, 0)
  return { replicas, hasUnmanagedPods: pods.some(({ controller }) => controller === undefined) }
}

interface ScaledOwner {
  readonly uid: string
  readonly replicas: number
}

/** A ReplicaSet only has the size that its Deployment currently gives it, so the Deployment counts. */
function scaledOwner(engine: Engine, namespace: string, owner: OwnerReference): ScaledOwner | string | undefined {
  const { group } = parseApiVersion(owner.apiVersion)
  const context = engine.find(group, owner.kind)
  if (context === undefined) return undefined
  if (context.kind.scale === undefined)
    return `${qualifiedResource(context.kind)} does not implement the scale subresource`
  const object = context.cache.get({ namespace, name: owner.name })?.object
  if (object?.metadata.uid !== owner.uid) return undefined
  const above = owner.kind === 'ReplicaSet' ? controllerIn(object.metadata) : undefined
  return above?.kind === 'Deployment' ? scaledOwner(engine, namespace, above) : scaleIn(context, object)
}

/** An object of a custom kind may lack the field that its definition names. */
function scaleIn({ kind }: ResourceContext, object: KubeObject): ScaledOwner | string {
  try {
    return { uid: object.metadata.uid ?? '', replicas: scaleOf(kind, object).spec.replicas ?? 0 }
  } catch (error) {
    return errorText(error)
  }
}
