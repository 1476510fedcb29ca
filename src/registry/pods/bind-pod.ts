import { badRequest, conflict, notFound } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Pod, PodCondition } from '../../api/types/core-v1.ts'
import { timestamp } from '../../base/clock.ts'
import type { ResourceContext } from '../context.ts'
import type { WriteRequest } from '../contract.ts'
import type { ObjectId } from '../document.ts'
import { editObject } from '../verbs/edit.ts'
import { uidMismatch, versionMismatch } from '../verbs/uid-mismatch.ts'
import { noManager } from '../verbs/update.ts'

export interface PodBinding {
  readonly uid: string
  readonly resourceVersion: string
  readonly annotations: Readonly<Record<string, string>>
  readonly target: { readonly kind: string; readonly name: string }
}

const podResource = { plural: 'pods', group: '', flavor: 'builtin' } as const
const subject = { plural: 'pods/binding', group: '' }

/** Assigns the node that a scheduler has chosen for a pod, once. As in Kubernetes, no manager owns the node field. */
export async function bindPod(
  pods: ResourceContext,
  id: ObjectId,
  binding: PodBinding,
  request: WriteRequest,
): Promise<void> {
  checkTarget(binding)
  const nowMs = pods.engine.clock.now()
  const edit = (object: KubeObject) => bound(object as Pod, binding, { nowMs, dryRun: request.dryRun })
  if (!(await editObject(pods, id, edit, { ...request, fieldManager: noManager }))) throw notFound(pods.kind, id.name)
}

function checkTarget({ target: { kind, name } }: PodBinding): void {
  const errors = [
    ...(kind === '' || kind === 'Node'
      ? []
      : [`target.kind: Unsupported value: "${kind}": supported values: "Node", "<empty>"`]),
    ...(name === '' ? ['target.name: Required value'] : []),
  ]
  if (errors.length > 0) throw badRequest(errors.length === 1 ? errors.join() : `[${errors.join(', ')}]`)
}

function bound(
  pod: Pod,
  { uid, resourceVersion, annotations, target }: PodBinding,
  { nowMs, dryRun }: { readonly nowMs: number; readonly dryRun: boolean },
): Pod {
  const { name = '' } = pod.metadata
  if (uid !== '' && uid !== pod.metadata.uid)
    throw conflict(podResource, name, uidMismatch(podResource, pod, uid, dryRun))
  if (resourceVersion !== '' && resourceVersion !== pod.metadata.resourceVersion)
    throw conflict(podResource, name, versionMismatch(podResource, pod, resourceVersion, dryRun))
  const refusal = reasonAgainst(pod)
  if (refusal !== undefined) throw conflict(subject, name, refusal)
  const merged = { ...pod.metadata.annotations, ...annotations }
  return {
    ...pod,
    metadata: Object.keys(merged).length === 0 ? pod.metadata : { ...pod.metadata, annotations: merged },
    spec: { ...pod.spec, nodeName: target.name },
    status: { ...pod.status, conditions: withScheduled(pod.status.conditions ?? [], timestamp(nowMs)) },
  }
}

function reasonAgainst({ metadata, spec }: Pod): string | undefined {
  const { name, deletionTimestamp } = metadata
  if (deletionTimestamp !== undefined) return `pod ${name} is being deleted, cannot be assigned to a host`
  if (spec.nodeName !== undefined) return `pod ${name} is already assigned to node "${spec.nodeName}"`
  if ((spec.schedulingGates ?? []).length > 0) return `pod ${name} has non-empty .spec.schedulingGates`
  return undefined
}

function withScheduled(conditions: readonly PodCondition[], now: string): readonly PodCondition[] {
  const scheduled: PodCondition = {
    type: 'PodScheduled',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: now,
  }
  return [...conditions.filter(({ type }) => type !== 'PodScheduled'), scheduled]
}
