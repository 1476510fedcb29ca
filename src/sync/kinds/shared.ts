import type { KubeObject } from '../../api/object.ts'
import type { ObjectReference } from '../../api/types/core-v1.ts'
import type { HostNames } from '../contract.ts'

/** Every cluster has its own Service for its API. */
export function isKubernetesService({ metadata }: KubeObject): string | undefined {
  const isIt = metadata.name === 'kubernetes' && metadata.namespace === 'default'
  return isIt ? 'it stands for the API of the virtual cluster' : undefined
}

/** A Pod has another name, uid and version on the host. The reference is dropped if its namespace is not mapped. */
export function translatedPodReference<Address extends { readonly targetRef?: ObjectReference }>(
  address: Address,
  ownerNamespace: string,
  names: HostNames,
): Omit<Address, 'targetRef'> & { readonly targetRef?: ObjectReference } {
  const { targetRef } = address
  if (targetRef?.kind !== 'Pod' || targetRef.name === undefined) return address
  const { targetRef: ___, ...unreferring } = address
  const { uid: _, resourceVersion: __, ...kept } = targetRef
  const namespace = targetRef.namespace ?? ownerNamespace
  if (names.multiNamespace && names.namespaceOf(namespace) === undefined) return unreferring
  return { ...address, targetRef: { ...kept, ...names.of(namespace, targetRef.name) } }
}
