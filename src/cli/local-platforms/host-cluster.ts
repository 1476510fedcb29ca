import { isJsonObject } from '../../base/json/member.ts'

/** What `tenant up` calls the cluster that its virtual clusters run on. */
export const hostCluster = 'host'

/** Whether a virtual cluster is one that `tenant up` runs. Others register themselves, or are about to. */
export function isPlacedOnHost(spec: unknown): boolean {
  if (!isJsonObject(spec)) return false
  return spec.external === false || (isJsonObject(spec.clusterRef) && spec.clusterRef.cluster === hostCluster)
}
