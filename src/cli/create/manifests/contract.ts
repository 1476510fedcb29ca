import type { EffectiveConfig } from '../../../api/tenant-config/types.ts'
import type { DisruptionVersion } from '../../host/disruption-version.ts'

/** Everything that the objects of a tenant on its host are made from. */
export interface TenantDeployment {
  readonly name: string
  readonly namespace: string
  readonly config: EffectiveConfig
  /** tenant.yaml as it was written. */
  readonly configText: string
  readonly image: string
  /** The public key of the license issuer; absent: it is in tenant.yaml, or not known. */
  readonly issuerKey?: string
  readonly resources: ResolvedResources
  /** How its StatefulSet makes Pods, which never changes. Absent: one after the other. */
  readonly podManagement?: 'Parallel'
  /** The namespace was made for this virtual cluster, and holds no other. */
  readonly ownsNamespace: boolean
}

/** What only the host knows about resources that tenant.yaml names. */
export interface ResolvedResources {
  /** Groups of custom resources that are named by their plural alone. */
  readonly groups: Readonly<Record<string, string>>
  /** Kinds of tenant.yaml that are in no namespace. */
  readonly unnamespaced: readonly string[]
  /** Resources that patches refer to, from which objects may be imported. */
  readonly referenced: readonly ResourceName[]
  /** Whether the tenant can be given the right to read nodes. Without it none are shown. */
  readonly mayReadNodes: boolean
  /** The same for what they measure. */
  readonly mayMeasureNodes: boolean
  /** Whether a ResourceQuota and a LimitRange can be made in its namespace. */
  readonly mayLimit: boolean
  /** By which version the host knows PodDisruptionBudgets. */
  readonly disruptionVersion: DisruptionVersion
  /** Ranges of Pods of the host, as its nodes tell them. */
  readonly podRanges: readonly string[]
}

export interface ResourceName {
  readonly group: string
  readonly resource: string
}
