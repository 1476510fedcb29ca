import { apiServiceGroup } from '../../api/apiregistration/api-service.ts'
import type { APIService } from '../../api/types/apiregistration-v1.ts'

/** A group and version that this server answers for. */
export interface LocalVersion {
  readonly group: string
  readonly version: string
  /** Users have defined it. */
  readonly isCustom: boolean
}

/** Of those that the server keeps itself. */
export const managedLabel = 'kube-aggregator.kubernetes.io/automanaged'

const corePriority = 18_000
const firstPriority = 17_900
const customPriority = 1_000

/** The APIService that says so. Clients prefer groups in the order in which they are served. */
export function localApiService({ group, version, isCustom }: LocalVersion, index: number): APIService {
  const own = group === '' ? corePriority : firstPriority - 10 * index
  return {
    apiVersion: `${apiServiceGroup}/v1`,
    kind: 'APIService',
    metadata: {
      name: `${version}.${group}`,
      labels: { [managedLabel]: isCustom ? 'true' : 'onstart' },
    },
    spec: {
      ...(group === '' ? {} : { group }),
      version,
      groupPriorityMinimum: isCustom ? customPriority : Math.max(own, customPriority),
      versionPriority: isCustom ? 100 : 15,
    },
    status: {},
  }
}
