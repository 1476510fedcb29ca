import type { KubeObject } from '../../api/object.ts'
import type { ListText } from './list-text.ts'

export function partialMetadataJson(object: KubeObject, version: string): string {
  return `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/${version}","metadata":${JSON.stringify(object.metadata)}}`
}

export function partialMetadataList(metadataJson: string, version: string): ListText {
  return {
    opening: `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/${version}","metadata":${metadataJson},"items":[`,
    member: 'items',
    item: ({ object }) => partialMetadataJson(object, version),
  }
}
