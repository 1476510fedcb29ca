import { mirrorAnnotation } from '../../../api/core/nodes/kubelet.ts'
import { referencesOfPod } from '../../../api/core/pods/pod-references.ts'
import { notFound } from '../../../api/error.ts'
import { quoted } from '../../../api/human/go-syntax.ts'
import type { Pod } from '../../../api/types/core-v1.ts'
import { deepEqual } from '../../../base/equal.ts'
import type { Engine } from '../../context.ts'
import type { KubeletWrite, RestrictedWrite } from './contract.ts'

/** A kubelet creates mirror Pods for its static Pods, reports the status of Pods bound to its node, and deletes them. */
export const restrictedPod: RestrictedWrite = (write) => {
  const { request, operation, node } = write
  if (request.subresource === 'status') return refusalOfStatus(write)
  if (request.subresource !== '') return unexpectedSubresource(request.subresource)
  if (operation === 'CREATE') return refusalOfMirror(node, write.object as Pod, write.engine)
  if (operation === 'UPDATE')
    return `unexpected operation ${quoted(operation)}, node ${quoted(node)} can only create and delete mirror pods`
  return isBoundTo(write.object as Pod, node)
    ? undefined
    : `node ${quoted(node)} can only delete pods with spec.nodeName set to itself`
}

export function unexpectedSubresource(subresource: string): string {
  return `unexpected pod subresource ${quoted(subresource)}, only 'status' and 'eviction' are allowed`
}

export function isBoundTo({ spec }: Pod, node: string): boolean {
  return spec.nodeName === node
}

function refusalOfStatus({ node, operation, object, old }: KubeletWrite): string | undefined {
  if (operation !== 'UPDATE' || old === undefined) return `unexpected operation ${quoted(operation)}`
  const [pod, before] = [object as Pod, old as Pod]
  if (!isBoundTo(before, node))
    return `node ${quoted(node)} can only update pod status for pods with spec.nodeName set to itself`
  if (!deepEqual(pod.metadata.labels ?? {}, before.metadata.labels ?? {}))
    return `node ${quoted(node)} cannot update labels through pod status`
  return deepEqual(claimStatusesOf(pod), claimStatusesOf(before))
    ? undefined
    : `node ${quoted(node)} cannot update resource claim statues`
}

function claimStatusesOf({ status }: Partial<Pod>): readonly object[] {
  return status?.resourceClaimStatuses ?? []
}

function refusalOfMirror(node: string, pod: Pod, engine: Engine): string | undefined {
  const quotedNode = quoted(node)
  if (pod.metadata.annotations?.[mirrorAnnotation] === undefined)
    return `pod does not have ${quoted(mirrorAnnotation)} annotation, node ${quotedNode} can only create mirror pods`
  if (!isBoundTo(pod, node)) return `node ${quotedNode} can only create pods with spec.nodeName set to itself`
  return refusalOfOwners(node, pod, engine) ?? refusalOfReferences(quotedNode, pod)
}

/** The node must own the Pod, so that both are deleted together, and its deletion must not wait for the Pod. */
function refusalOfOwners(node: string, { metadata }: Pod, engine: Engine): string | undefined {
  const may = `node ${quoted(node)} can only create pods with`
  const [owner, second] = metadata.ownerReferences ?? []
  if (second !== undefined) return `${may} a single owner reference set to itself`
  if (owner === undefined || owner.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node)
    return `${may} an owner reference set to itself`
  if (owner.controller !== true) return `${may} a controller owner reference set to itself`
  if (owner.blockOwnerDeletion === true)
    return `node ${quoted(node)} must not set blockOwnerDeletion on an owner reference`
  const found = engine.find('', 'Node')?.cache.get({ namespace: '', name: node })
  if (found === undefined) throw notFound({ plural: 'nodes', group: '' }, node)
  const { uid = '' } = found.object.metadata
  return owner.uid === uid ? undefined : `node ${node} UID mismatch: expected ${owner.uid} got ${uid}`
}

/** Otherwise a kubelet could read any object that it names in a Pod. */
function refusalOfReferences(quotedNode: string, pod: Pod): string | undefined {
  const { serviceAccount, secrets, configMaps } = referencesOfPod(pod)
  const { volumes = [], resourceClaims = [] } = pod.spec
  const reference = [
    serviceAccount !== '' && 'a service account',
    secrets.length > 0 && 'secrets',
    configMaps.length > 0 && 'configmaps',
    volumes.some(({ projected }) => projected?.sources?.some((each) => each.clusterTrustBundle !== undefined)) &&
      'clustertrustbundles',
    volumes.some(({ persistentVolumeClaim }) => persistentVolumeClaim !== undefined) && 'persistentvolumeclaims',
    resourceClaims.length > 0 && 'resourceclaims',
  ].find((each) => each !== false)
  return reference === undefined ? undefined : `node ${quotedNode} can not create pods that reference ${reference}`
}
