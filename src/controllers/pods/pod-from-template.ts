import type { KubeObject } from '../../api/object.ts'
import type { PodTemplateSpec } from '../../api/types/core-v1.ts'
import { controllerReference } from '../ownership/owned.ts'

/** A Pod of the owner, with a generated name. */
export function podFromTemplate(owner: KubeObject, { metadata, spec }: PodTemplateSpec): KubeObject {
  const { labels, annotations, finalizers } = metadata
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: `${owner.metadata.name}-`,
      namespace: owner.metadata.namespace ?? '',
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      ...(finalizers && { finalizers }),
      ownerReferences: [controllerReference(owner)],
    },
    spec,
  }
}
