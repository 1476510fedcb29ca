import { replicasAt, scaleKind, scaleOf } from '../../api/autoscaling/scale.ts'
import type { Kind } from '../../api/kind.ts'
import { apiVersionOf, type KubeObject } from '../../api/object.ts'
import type { Scale } from '../../api/types/autoscaling-v1.ts'
import { applyMergePatch } from '../patch/merge-patch.ts'
import type { GroupVersionResource, ShownKind } from './contract.ts'

/** The object as the caller sent it. */
export function shownAsSent(kind: Kind, subresource: string): ShownKind {
  if (isScale(kind, subresource)) return shownAsScale(kind, kind)
  return { kind, resource: resourceOfKind(kind), show: (object) => object, take: (shown) => shown }
}

/** Converts an object between kinds under which the same objects are served. */
export type ConvertKind = (object: KubeObject, from: Kind, to: Kind) => KubeObject | Promise<KubeObject>

/** The object in another version or group. */
export function shownAsEquivalent(kind: Kind, subresource: string, other: Kind, convert: ConvertKind): ShownKind {
  if (isScale(kind, subresource)) return shownAsScale(kind, other)
  return {
    kind: other,
    resource: resourceOfKind(other),
    show: (object) => convert(object, kind, other),
    take: (shown) => convert(shown, other, kind),
  }
}

function resourceOfKind({ group, version, plural }: Kind): GroupVersionResource {
  return { group, version, resource: plural }
}

function isScale({ scale }: Kind, subresource: string): boolean {
  return subresource === 'scale' && scale !== undefined
}

/** Only the number of replicas is applied to the object. */
function shownAsScale(kind: Kind, below: Kind): ShownKind {
  return {
    kind: scaleKind,
    resource: resourceOfKind(below),
    show: (object) => scaleOf(kind, object),
    take: (shown, object) => {
      const { spec } = shown as Scale
      return applyMergePatch(object, replicasAt(kind, spec.replicas ?? 0)) as KubeObject
    },
  }
}

/** Converts through the stored form of the kinds. */
export function convertedByStorage(object: KubeObject, from: Kind, to: Kind): KubeObject {
  const stored = from.storedAs?.toStored(object) ?? object
  const converted = to.storedAs?.fromStored(stored) ?? stored
  return { ...converted, apiVersion: apiVersionOf(to), kind: to.kind }
}
