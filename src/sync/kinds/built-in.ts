import type { SyncKind } from '../contract.ts'
import { configMapsSync } from './config-maps.ts'
import { endpointSlicesSync } from './endpoint-slices.ts'
import { endpointsSync } from './endpoints.ts'
import { ingressesSync } from './ingresses.ts'
import { namespacesSync } from './namespaces.ts'
import { networkPoliciesSync } from './network-policies.ts'
import { persistentVolumeClaimsSync } from './persistent-volume-claims.ts'
import { podDisruptionBudgetsSync } from './pod-disruption-budgets.ts'
import { podsSync } from './pods/pods.ts'
import { secretsSync } from './secrets.ts'
import { serviceAccountsSync } from './service-accounts.ts'
import { servicesSync } from './services.ts'

/** The kinds that need special handling. */
export const builtInKinds: readonly SyncKind[] = [
  namespacesSync,
  endpointsSync,
  servicesSync,
  endpointSlicesSync,
  secretsSync,
  configMapsSync,
  serviceAccountsSync,
  ingressesSync,
  networkPoliciesSync,
  persistentVolumeClaimsSync,
  podsSync,
  podDisruptionBudgetsSync,
]
