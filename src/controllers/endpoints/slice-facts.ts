import { serviceNameLabel } from '../../api/core/endpoints/endpoint-slice.ts'
import type { KubeObject } from '../../api/object.ts'
import type { EndpointSlice } from '../../api/types/discovery-v1.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { ObjectId } from '../../registry/document.ts'
import { type Owned, ownedFrom } from '../ownership/owned.ts'
import type { OwnedObjects } from '../ownership/owned-objects.ts'

/** Names the controller that created a slice; each controller leaves the slices of others alone. */
export const managedByLabel = 'endpointslice.kubernetes.io/managed-by'
export const sliceManager = 'endpointslice-controller.k8s.io'
export const mirrorManager = 'endpointslicemirroring-controller.k8s.io'

export interface KnownSlices {
  readonly slices: ResourceContext
  readonly slicesKnown: OwnedObjects<SliceFacts>
}

export interface SliceFacts extends Owned {
  readonly service: string
  readonly manager: string
}

export function sliceFactsFrom(object: KubeObject): SliceFacts {
  const owned = ownedFrom(object)
  const { [serviceNameLabel]: service = '', [managedByLabel]: manager = '' } = owned.labels
  return { ...owned, labels: {}, service, manager }
}

/** All slices that one controller has created for one Service are found together. */
export function sliceGroups({ namespace, service, manager }: SliceFacts): readonly string[] {
  return [`${manager}/${namespace}/${service}`]
}

export function slicesOf(
  { slices, slicesKnown }: KnownSlices,
  { namespace, name }: ObjectId,
  manager: string,
): readonly EndpointSlice[] {
  return slicesKnown.inGroup(`${manager}/${namespace}/${name}`).flatMap((slice) => {
    const object = slices.cache.get(slice)?.object as EndpointSlice | undefined
    return object === undefined ? [] : [object]
  })
}
