import type { EffectiveConfig, KindSync, PatchConfig, ReferencedKindSync } from '../../api/tenant-config/types.ts'
import type { SyncKind } from '../contract.ts'
import { configMapsSync } from './config-maps.ts'
import { endpointSlicesSync } from './endpoint-slices.ts'
import { endpointsSync } from './endpoints.ts'
import { customResourceSync } from './generic.ts'
import { ingressesSync } from './ingresses.ts'
import { namespacesSync } from './namespaces.ts'
import { networkPoliciesSync } from './network-policies.ts'
import { persistentVolumeClaimsSync } from './persistent-volume-claims.ts'
import { podDisruptionBudgetsSync } from './pod-disruption-budgets.ts'
import { podsSync } from './pods/pods.ts'
import { secretsSync } from './secrets.ts'
import { serviceAccountsSync } from './service-accounts.ts'
import { servicesSync } from './services.ts'

export interface EnabledKind {
  readonly kind: SyncKind
  readonly patches: readonly PatchConfig[]
  /** Whether all objects are synced, not only referenced ones. */
  readonly carriesAll: boolean
}

interface KnownKind extends EnabledKind {
  readonly isEnabled: boolean
}

/** The kinds that a configuration syncs to the host. */
export function enabledKinds(config: EffectiveConfig): readonly EnabledKind[] {
  return knownKinds(config).flatMap(({ isEnabled, ...entry }) => (isEnabled ? [entry] : []))
}

/**
 * The other kinds, whose copies are deleted. Namespaces are excluded, because deleting one would delete objects of
 * others in it.
 */
export function disabledKinds(config: EffectiveConfig): readonly SyncKind[] {
  return knownKinds(config).flatMap(({ kind, isEnabled }) => (isEnabled || kind === namespacesSync ? [] : [kind]))
}

function knownKinds({ sync: { toHost } }: EffectiveConfig): readonly KnownKind[] {
  return [
    whole(namespacesSync, toHost.namespaces),
    whole(endpointsSync, toHost.endpoints),
    whole(servicesSync, toHost.services),
    whole(endpointSlicesSync, toHost.endpointSlices),
    referenced(secretsSync, toHost.secrets),
    referenced(configMapsSync, toHost.configMaps),
    whole(serviceAccountsSync, toHost.serviceAccounts),
    whole(ingressesSync, toHost.ingresses),
    whole(networkPoliciesSync, toHost.networkPolicies),
    whole(persistentVolumeClaimsSync, toHost.persistentVolumeClaims),
    whole(podsSync, toHost.pods),
    whole(podDisruptionBudgetsSync, toHost.podDisruptionBudgets),
    ...Object.entries(toHost.customResources).map(([id, sync]) => whole(customResourceSync(id), sync)),
  ]
}

function whole(kind: SyncKind, { enabled, patches }: KindSync): KnownKind {
  return { kind, patches, carriesAll: true, isEnabled: enabled }
}

function referenced(kind: SyncKind, { enabled, patches, all }: ReferencedKindSync): KnownKind {
  return { kind, patches, carriesAll: all, isEnabled: enabled }
}
