import type { Kind } from '../../api/kind.ts'

/** The type of an object inside kube-apiserver, as its refusals print it. */
export function goTypeOf({ kind, group, storedAs, flavor }: Kind): string {
  if (flavor === 'custom') return '*unstructured.Unstructured'
  const [name = ''] = (storedAs?.group ?? group).split('.')
  return `*${name === '' ? 'core' : name}.${kind}`
}
