import type { EffectiveConfig } from '../../api/tenant-config/types.ts'
import type { ResourceType } from '../../client/contract.ts'
import type { ExpressionEngine, VirtualClusterContext } from '../../expression/contract.ts'
import { compileCheckedPatches } from '../../patches/compile.ts'
import type { CompiledPatch, PatchCounters } from '../../patches/contract.ts'
import type { PodNetwork } from '../companions/contract.ts'
import type { PodNames } from '../contract.ts'
import type { EnabledKind } from '../kinds/enabled.ts'
import { hostNamesOf } from '../names/host-names.ts'
import { kindMarkOf } from '../names/markers.ts'
import { type TenantPlace, tenantNames } from '../names/names.ts'
import { tenantLabels } from '../names/tenant-labels.ts'
import type { KindRules } from '../plan/rules.ts'
import { policyOf } from '../policy/policy-of.ts'
import type { KindConfig } from './kind-parts.ts'
import { type PatcherParts, patcherOf } from './patcher.ts'

/** The settings that all kinds of a tenant share under one configuration. */
export interface TenantSetting {
  readonly identity: TenantPlace
  readonly config: EffectiveConfig
  readonly virtualFollowsHostAddresses: boolean
  readonly podNetwork: () => PodNetwork | undefined
  /** Nodes that the tenant has cordoned. */
  readonly cordonedNodes: () => readonly string[]
  readonly engine: ExpressionEngine
  /** One object for all kinds, so that it is sent to the sandbox once. */
  readonly vcluster: VirtualClusterContext
  readonly findVirtual: PatcherParts['findVirtual']
  readonly countPatches: (kind: string, patches: readonly CompiledPatch[], counters: readonly PatchCounters[]) => void
}

export function kindConfigOf(entry: EnabledKind, type: ResourceType, tenant: TenantSetting): KindConfig {
  const { kind, carriesAll, patches } = entry
  const { identity, config, virtualFollowsHostAddresses } = tenant
  const names = hostNamesOf(identity, config)
  const setting = {
    names: names.forKinds,
    virtualFollowsHostAddresses,
    podsRunOnHost: config.sync.toHost.pods.enabled,
    podNames: () => podNamesOf(tenant),
    cordonedNodes: tenant.cordonedNodes,
  }
  const compiled = compileCheckedPatches(patches)
  return {
    carriesAll,
    rules: {
      kind,
      owner: { identity, kindMark: kindMarkOf(type) },
      setting,
      policy: policyOf({ kind, config, patches: compiled, setting }),
      hostOf: (virtual) => (kind.hostName === undefined ? names.hostOf(virtual) : kind.hostName(virtual, setting)),
      mayRefer: kind.references !== undefined || patches.some(({ reference }) => reference !== undefined),
      hasSelectors: compiled.some(({ action }) => action.type === 'labels'),
      patch: patcher(kind, compiled, tenant),
    },
  }
}

/** Undefined if the tenant has no DNS server that Pods can reach. */
function podNamesOf({ podNetwork, config }: TenantSetting): PodNames | undefined {
  const dns = podNetwork()?.dns
  return dns === undefined ? undefined : { server: dns, clusterDomain: config.networking.clusterDomain }
}

/** The compiled patches of a kind. */
export function patchOf({ kind, patches }: Pick<EnabledKind, 'kind' | 'patches'>, tenant: TenantSetting) {
  return patcher(kind, compileCheckedPatches(patches), tenant)
}

function patcher(
  { id }: EnabledKind['kind'],
  patches: readonly CompiledPatch[],
  tenant: TenantSetting,
): KindRules['patch'] {
  const { identity, config, engine, findVirtual, countPatches } = tenant
  return patcherOf({
    patches,
    engine,
    vcluster: tenant.vcluster,
    names: tenantNames(identity, config),
    labels: tenantLabels(identity),
    findVirtual,
    counted: (counters) => countPatches(id, patches, counters),
  })
}
