import type { Management } from '../api/management.ts'
import { type KubeObject, nameOf } from '../api/objects.ts'
import { ask } from '../api/request.ts'

export interface ResourceKind {
  readonly kind: string
  readonly plural: string
}

export function pathOf(management: Management, { plural }: ResourceKind, object: KubeObject): string {
  const { namespace } = object.metadata
  return management.path(plural, { name: nameOf(object), ...(namespace === undefined ? {} : { namespace }) })
}

export function createObject<T extends KubeObject>(
  management: Management,
  { kind, plural }: ResourceKind,
  metadata: { readonly name: string; readonly namespace?: string },
  spec: object,
): Promise<T> {
  const { namespace } = metadata
  const path = management.path(plural, namespace === undefined ? {} : { namespace })
  return ask<T>(path, { method: 'POST', body: { apiVersion: management.apiVersion, kind, metadata, spec } })
}

/** Refused when somebody else has changed the object since it was looked at. */
export function changeSpec<T extends KubeObject>(
  management: Management,
  kind: ResourceKind,
  object: T,
  spec: object,
): Promise<T> {
  const { resourceVersion } = object.metadata
  return ask<T>(pathOf(management, kind, object), {
    method: 'PATCH',
    contentType: 'application/merge-patch+json',
    body: { metadata: { resourceVersion }, spec },
  })
}

export function deleteObject(management: Management, kind: ResourceKind, object: KubeObject): Promise<unknown> {
  const { uid } = object.metadata
  return ask(pathOf(management, kind, object), {
    method: 'DELETE',
    body: { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid } },
  })
}
