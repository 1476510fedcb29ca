import type { Management } from '../api/management.ts'
import { type KubeObject, nameOf } from '../api/objects.ts'
import { isCode } from '../api/problem.ts'
import { ask } from '../api/request.ts'

export interface ResourceKind {
  readonly kind: string
  readonly plural: string
  /** As it is called in texts. */
  readonly noun: string
}

export function objectPathOf(management: Management, { plural }: ResourceKind, object: KubeObject): string {
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

const mostAttempts = 3

/**
 * Refused if another client has changed the spec since it was read. A change of reported data alone, such as a
 * heartbeat, is not a conflict.
 */
export async function changeSpec<T extends KubeObject>(
  management: Management,
  kind: ResourceKind,
  object: T,
  spec: object,
): Promise<T> {
  const path = objectPathOf(management, kind, object)
  let seen = object
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await patchSpec<T>(path, seen, spec)
    } catch (error) {
      if (!isCode(error, 409) || attempt === mostAttempts) throw error
      const now = await ask<T>(path)
      if (!hasSameSpec(now, object)) throw error
      seen = now
    }
  }
}

function patchSpec<T>(path: string, { metadata: { resourceVersion } }: KubeObject, spec: object): Promise<T> {
  return ask<T>(path, {
    method: 'PATCH',
    contentType: 'application/merge-patch+json',
    body: { metadata: { resourceVersion }, spec },
  })
}

function hasSameSpec({ metadata: now }: KubeObject, { metadata: before }: KubeObject): boolean {
  return now.uid === before.uid && now.generation !== undefined && now.generation === before.generation
}

export function deleteObject(management: Management, kind: ResourceKind, object: KubeObject): Promise<unknown> {
  const { uid } = object.metadata
  return ask(objectPathOf(management, kind, object), {
    method: 'DELETE',
    body: { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid } },
  })
}
