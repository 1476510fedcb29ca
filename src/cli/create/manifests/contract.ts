import type { EffectiveConfig } from '../../../api/tenant-config/types.ts'
import type { DisruptionVersion } from '../../host/disruption-version.ts'

/** Everything from which the objects of a tenant on its host are made. */
export interface TenantDeployment {
  readonly name: string
  readonly namespace: string
  readonly config: EffectiveConfig
  /** The original text of tenant.yaml. */
  readonly configText: string
  readonly image: string
  /** The public key of the license issuer; absent: it is in tenant.yaml, or unknown. */
  readonly issuerKey?: string
  readonly resources: ResolvedResources
  /** How its StatefulSet creates Pods, which cannot change. Absent: one after the other. */
  readonly podManagement?: 'Parallel'
  /** The namespace was created for this virtual cluster, and contains no other. */
  readonly ownsNamespace: boolean
}

/** What only the host knows about resources that tenant.yaml names. */
export interface ResolvedResources {
  /** Groups of custom resources that are named only by their plural. */
  readonly groups: Readonly<Record<string, string>>
  /** Cluster-scoped kinds of tenant.yaml. */
  readonly unnamespaced: readonly string[]
  /** Resources that patches refer to, from which objects may be imported. */
  readonly referenced: readonly ResourceName[]
  /** Whether the tenant can be granted the right to read nodes. Without it, none are shown. */
  readonly mayReadNodes: boolean
  /** The same for metrics of nodes. */
  readonly mayMeasureNodes: boolean
  /** Whether a ResourceQuota and a LimitRange can be created in its namespace. */
  readonly mayLimit: boolean
  /** The version in which the host serves PodDisruptionBudgets. */
  readonly disruptionVersion: DisruptionVersion
  /** Pod ranges of the host, as its nodes report them. */
  readonly podRanges: readonly string[]
}

export interface ResourceName {
  readonly group: string
  readonly resource: string
}
