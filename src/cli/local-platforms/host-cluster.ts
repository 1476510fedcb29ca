import { isJsonObject } from '../../base/json/member.ts'

/** The name that `tenant up` gives the cluster of its virtual clusters. */
export const hostCluster = 'host'

/** Whether `tenant up` runs the virtual cluster. Others register themselves, or are about to. */
export function isPlacedOnHost(spec: unknown): boolean {
  if (!isJsonObject(spec)) return false
  return spec.external === false || (isJsonObject(spec.clusterRef) && spec.clusterRef.cluster === hostCluster)
}
