import { templateGeneration } from '../../api/apps/daemon-set.ts'
import type { KubeObject, ObjectMeta } from '../../api/object.ts'
import type { ListText } from './list-text.ts'

export function partialMetadataJson(object: KubeObject, version: string): string {
  return `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/${version}","metadata":${JSON.stringify(shownMetadata(object))}}`
}

/** As in Kubernetes, only a whole DaemonSet shows how often its template has changed. */
function shownMetadata({ kind, metadata }: KubeObject): ObjectMeta {
  if (kind !== 'DaemonSet' || metadata.annotations?.[templateGeneration] === undefined) return metadata
  const { annotations, ...rest } = metadata
  const { [templateGeneration]: _, ...others } = annotations
  return Object.keys(others).length === 0 ? rest : { ...rest, annotations: others }
}

export function partialMetadataList(metadataJson: string, version: string): ListText {
  return {
    opening: `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/${version}","metadata":${metadataJson},"items":[`,
    member: 'items',
    empty: 'null',
    item: ({ object }) => partialMetadataJson(object, version),
  }
}
