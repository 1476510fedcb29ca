import type { KubeObject } from '../../api/object.ts'

/** A node as Events name it: without a version. */
export function nodeReference({ name, uid }: { readonly name: string; readonly uid: string }): KubeObject {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, uid } }
}
