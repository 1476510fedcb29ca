import type { Manifest } from '../../../host/manifest.ts'
import type { TenantDeployment } from '../contract.ts'
import { limitRangeManifest, resourceQuotaManifest } from './amounts.ts'
import { networkPolicyManifests } from './network-policies.ts'

/**
 * Isolates a tenant in a dedicated namespace. In a shared namespace a quota would apply to all tenants, and with copies
 * in several namespaces it would be in the wrong one.
 */
export function isolationManifests(deployment: TenantDeployment): readonly Manifest[] {
  const { ownsNamespace, config, resources } = deployment
  if (!ownsNamespace || config.sync.toHost.namespaces.enabled || !config.sync.toHost.pods.enabled) return []
  const { networkPolicies, resourceQuota, limitRange } = config.policies.isolation
  return [
    ...(limitRange.enabled && resources.mayLimit ? [limitRangeManifest(deployment)] : []),
    ...(resourceQuota.enabled && resources.mayLimit ? [resourceQuotaManifest(deployment)] : []),
    ...(networkPolicies.enabled && !config.sync.toHost.networkPolicies.enabled
      ? networkPolicyManifests(deployment)
      : []),
  ]
}
