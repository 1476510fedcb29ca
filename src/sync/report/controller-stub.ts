import type { KubeObject } from '../../api/object.ts'
import { canBeNamed } from '../kinds/pods/renaming.ts'

/** The parts of an object's controller that an Event needs; undefined if it has none. */
export function controllerStub({ metadata }: KubeObject): KubeObject | undefined {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true)
  if (owner === undefined || !canBeNamed(owner.name)) return undefined
  const { apiVersion, kind, name, uid } = owner
  return { apiVersion, kind, metadata: { name, uid, ...(metadata.namespace && { namespace: metadata.namespace }) } }
}
