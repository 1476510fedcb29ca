import { apiServiceGroup } from '../../api/apiregistration/api-service.ts'
import type { APIService } from '../../api/types/apiregistration-v1.ts'

/** A group and version that this server serves. */
export interface LocalVersion {
  readonly group: string
  readonly version: string
  /** Whether it comes from users' definitions. */
  readonly isCustom: boolean
}

/** Marks APIServices that the server itself maintains. */
export const managedLabel = 'kube-aggregator.kubernetes.io/automanaged'

const customPriority = 1_000
/** For groups that Kubernetes does not have. */
const ownPriority = 16_000

/** The group priorities of Kubernetes, by which clients choose. */
const priorities: Readonly<Record<string, number>> = {
  '': 18_000,
  apps: 17_800,
  'events.k8s.io': 17_750,
  'authentication.k8s.io': 17_700,
  'authorization.k8s.io': 17_600,
  autoscaling: 17_500,
  batch: 17_400,
  'certificates.k8s.io': 17_300,
  'networking.k8s.io': 17_200,
  policy: 17_100,
  'rbac.authorization.k8s.io': 17_000,
  'storage.k8s.io': 16_800,
  'admissionregistration.k8s.io': 16_700,
  'apiextensions.k8s.io': 16_700,
  'scheduling.k8s.io': 16_600,
  'coordination.k8s.io': 16_500,
  'node.k8s.io': 16_300,
  'discovery.k8s.io': 16_200,
  'flowcontrol.apiserver.k8s.io': 16_100,
}

/** Versions with a priority other than the usual one. */
const versionPriorities: Readonly<Record<string, number>> = {
  'v1.': 1,
  'v1.flowcontrol.apiserver.k8s.io': 21,
  'v2.autoscaling': 30,
}

/** The APIService for a local version. */
export function localApiService({ group, version, isCustom }: LocalVersion): APIService {
  const name = `${version}.${group}`
  return {
    apiVersion: `${apiServiceGroup}/v1`,
    kind: 'APIService',
    metadata: {
      name,
      labels: { [managedLabel]: isCustom ? 'true' : 'onstart' },
    },
    spec: {
      ...(group === '' ? {} : { group }),
      version,
      groupPriorityMinimum: isCustom ? customPriority : (priorities[group] ?? ownPriority),
      versionPriority: isCustom ? 100 : (versionPriorities[name] ?? 15),
    },
    status: {},
  }
}
