import type { KubeObject, ObjectMeta, OwnerReference } from '../../api/object.ts'

/** What is asked of an object to tell whose it is. */
export interface Owned {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly labels: Readonly<Record<string, string>>
  readonly controller: OwnerReference | undefined
  readonly isBeingDeleted: boolean
}

export function ownedFrom({ metadata }: KubeObject): Owned {
  return {
    namespace: metadata.namespace ?? '',
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
    labels: metadata.labels ?? {},
    controller: controllerIn(metadata),
    isBeingDeleted: metadata.deletionTimestamp !== undefined,
  }
}

/** The one owner that decides about the object. */
export function controllerIn({ ownerReferences = [] }: ObjectMeta): OwnerReference | undefined {
  return ownerReferences.find(({ controller }) => controller === true)
}

export function controllerReference({ apiVersion, kind, metadata }: KubeObject): OwnerReference {
  return {
    apiVersion,
    kind,
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  }
}
