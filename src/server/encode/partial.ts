import type { KubeObject } from '../../api/object.ts'

/** The view of an object that shows its metadata alone, as JSON text. */
export function partialMetadataJson(object: KubeObject, version: string): string {
  return `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/${version}","metadata":${JSON.stringify(object.metadata)}}`
}

export function partialMetadataListJson(objects: readonly KubeObject[], metadataJson: string, version: string): string {
  const items = objects.map((object) => partialMetadataJson(object, version)).join(',')
  return `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/${version}","metadata":${metadataJson},"items":[${items}]}`
}
