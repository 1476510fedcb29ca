import type { Kind } from '../../api/kind.ts'
import type { KubeObject } from '../../api/object.ts'

/** In the words of Kubernetes' store, which names its own key. */
export function uidMismatch(kind: Pick<Kind, 'plural'>, { metadata }: KubeObject, uid: string): string {
  const { namespace, name = '' } = metadata
  const key = ['/registry', kind.plural, ...(namespace === undefined ? [] : [namespace]), name].join('/')
  const reason = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata.uid ?? ''}`
  return `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${reason}`
}
