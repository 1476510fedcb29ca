import type { KubeObject } from '../../object.ts'

/** The owners of fields after a write to a subresource that leaves other metadata unchanged. */
export function writtenManagers({
  metadata: { managedFields },
}: KubeObject): Pick<KubeObject['metadata'], 'managedFields'> {
  return managedFields === undefined ? {} : { managedFields }
}
