import type { KubeObject } from '../../api/object.ts'
import { canBeNamed } from '../kinds/pods/renaming.ts'

/** As much of the controller of an object as an Event about it needs; nothing if it has none. */
export function controllerStub({ metadata }: KubeObject): KubeObject | undefined {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true)
  if (owner === undefined || !canBeNamed(owner.name)) return undefined
  const { apiVersion, kind, name, uid } = owner
  return { apiVersion, kind, metadata: { name, uid, ...(metadata.namespace && { namespace: metadata.namespace }) } }
}
