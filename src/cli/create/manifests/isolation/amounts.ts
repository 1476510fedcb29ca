import type { Manifest } from '../../../host/manifest.ts'
import type { TenantDeployment } from '../contract.ts'
import { objectLabels } from '../labels.ts'
import { objectNames } from '../names.ts'

type Amounts = Readonly<Record<string, string>>

/**
 * Enough for most tenants, and still a limit. All tenants share the addresses of Services, the store of the host, and
 * the finished Pods that a host keeps.
 */
const usualHard: Amounts = {
  pods: '500',
  'count/pods': '2000',
  persistentvolumeclaims: '200',
  'requests.storage': '2Ti',
  services: '500',
  'services.loadbalancers': '50',
  'services.nodeports': '100',
  secrets: '3000',
  configmaps: '3000',
}

/** A host refuses Pods without these requests, unless a LimitRange sets them. */
const usualRequests: Amounts = { 'requests.cpu': '64', 'requests.memory': '256Gi' }

const usualDefaultRequest: Amounts = { cpu: '50m', memory: '64Mi' }

export function resourceQuotaManifest(deployment: TenantDeployment): Manifest {
  const { resourceQuota, limitRange } = deployment.config.policies.isolation
  const requests = limitRange.enabled ? usualRequests : {}
  return {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: metadataOf(deployment),
    spec: { hard: { ...usualHard, ...requests, ...resourceQuota.hard } },
  }
}

/** No limits by default: a memory limit kills programs. */
export function limitRangeManifest(deployment: TenantDeployment): Manifest {
  const { defaultRequest, default: limits } = deployment.config.policies.isolation.limitRange
  const limit = {
    type: 'Container',
    defaultRequest: { ...usualDefaultRequest, ...defaultRequest },
    ...(Object.keys(limits).length > 0 && { default: limits }),
  }
  return { apiVersion: 'v1', kind: 'LimitRange', metadata: metadataOf(deployment), spec: { limits: [limit] } }
}

function metadataOf(deployment: TenantDeployment): Manifest['metadata'] {
  const { name, namespace } = deployment
  return { name: objectNames.workloads(name), namespace, labels: objectLabels(deployment) }
}
