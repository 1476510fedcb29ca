import type { KubeObject, ObjectMeta, OwnerReference } from '../../api/object.ts'

/** The facts about an object that determine its owner. */
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

/** Identifies an owner. Only objects in its namespace can be its dependents. */
export type OwnerId = Pick<Owned, 'namespace' | 'uid'>

export function ownerId({ metadata }: KubeObject): OwnerId {
  return { namespace: metadata.namespace ?? '', uid: metadata.uid ?? '' }
}

/** The one owner that controls the object. */
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
