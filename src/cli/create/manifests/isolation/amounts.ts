import type { Manifest } from '../../../host/manifest.ts'
import type { TenantDeployment } from '../contract.ts'
import { objectLabels } from '../labels.ts'
import { objectNames } from '../names.ts'

type Amounts = Readonly<Record<string, string>>

/**
 * Enough for most tenants, and still a limit. Addresses of Services and the store of the host are for all tenants, and so is what a host
 * keeps of Pods that have ended.
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

/** A host refuses Pods that do not say what they request of these, unless a LimitRange says it for them. */
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

/** No limits by default: a limit of memory kills programs. */
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
