import { ephemeralClaimName } from '../../api/core/pods/pod-references.ts'
import type { PersistentVolumeClaim, Pod, Volume } from '../../api/types/core-v1.ts'
import { controllerReference, type Owned } from '../ownership/owned.ts'

/** The claim for an ephemeral volume of a Pod. Undefined: the volume is of another kind. */
export function ephemeralClaim(pod: Pod, { name, ephemeral }: Volume): PersistentVolumeClaim | undefined {
  const template = ephemeral?.volumeClaimTemplate
  if (template === undefined) return undefined
  const { labels, annotations } = template.metadata ?? {}
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: ephemeralClaimName(pod.metadata.name, name),
      namespace: pod.metadata.namespace ?? '',
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      ownerReferences: [controllerReference({ ...pod, apiVersion: 'v1', kind: 'Pod' })],
    },
    spec: template.spec,
    status: {},
  }
}

/** A claim that an earlier Pod of the same name left behind is not this Pod's. */
export function isClaimOf(podUid: string | undefined, { controller }: Pick<Owned, 'controller'>): boolean {
  return controller?.uid === podUid
}
