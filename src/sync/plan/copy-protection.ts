import type { KubeObject } from '../../api/object.ts'
import { copyProtection } from '../names/markers.ts'
import type { KindRules } from './rules.ts'

/**
 * The finalizers that an object needs before it gets a copy that others on the host may hold; undefined if it has them.
 * Not if names are kept: then the copy of a deleted object is taken over by the object that is created in its place.
 */
export function protectedFinalizers(
  { metadata }: KubeObject,
  { kind, setting }: Pick<KindRules, 'kind' | 'setting'>,
): readonly string[] | undefined {
  const { finalizers = [] } = metadata
  if (kind.outlastsCopy !== true || setting.names.multiNamespace || finalizers.includes(copyProtection))
    return undefined
  return [...finalizers, copyProtection]
}

/** Whether a deleted object exists only until its copy is gone. Then the host itself is asked for the copy. */
export function awaitsEndOfCopy({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined && isProtected({ metadata })
}

export function isProtected({ metadata }: Pick<KubeObject, 'metadata'>): boolean {
  return metadata.finalizers?.includes(copyProtection) === true
}

/** A merge patch that is valid for this version only. */
export function withoutCopyProtection({ metadata }: KubeObject): { readonly metadata: object } {
  const { uid, resourceVersion, finalizers = [] } = metadata
  return { metadata: { uid, resourceVersion, finalizers: finalizers.filter((each) => each !== copyProtection) } }
}
