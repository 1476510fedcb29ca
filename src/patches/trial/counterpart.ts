import type { KubeObject, ObjectMeta } from '../../api/object.ts'
import type { ObjectName } from '../contract.ts'
import { markerPrefix } from '../path/reserved.ts'

/**
 * An object as it would be on the other side before any patch: with its name there, without server-managed metadata.
 */
export function counterpartOf(object: KubeObject, { namespace, name }: ObjectName): KubeObject {
  const { labels, annotations } = object.metadata
  const metadata: ObjectMeta = {
    name,
    ...(namespace !== '' && { namespace }),
    ...(labels && { labels: withoutMarkers(labels) }),
    ...(annotations && { annotations: withoutMarkers(annotations) }),
  }
  return { ...object, metadata }
}

function withoutMarkers(map: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(map).filter(([key]) => !key.startsWith(markerPrefix)))
}
