import type { Manifest } from '../../../host/manifest.ts'
import type { PlatformSettings } from '../settings.ts'
import { disruptionBudget } from './disruption-budget.ts'
import { platformIngress, platformService } from './entrance.ts'
import { platformLabels, platformMetadata } from './labels.ts'
import { platformNetworkPolicy } from './network-policy.ts'
import { prometheusRule } from './prometheus-rule.ts'
import { serviceMonitor } from './service-monitor.ts'
import { platformWorkload } from './workload.ts'

/** All objects of an installed platform besides its Secrets, in the order in which they must exist. */
export function platformManifests(settings: PlatformSettings): readonly Manifest[] {
  return [
    serviceAccount(settings),
    platformNetworkPolicy(settings),
    platformService(settings),
    ...(settings.expose === 'ingress' ? [platformIngress(settings)] : []),
    ...(settings.replicas > 1 ? [disruptionBudget(settings)] : []),
    ...(settings.serviceMonitor ? [serviceMonitor(settings)] : []),
    ...(settings.prometheusRule ? [prometheusRule(settings)] : []),
    platformWorkload(settings),
  ]
}

/** Pods with more privileges than the platform needs are refused. */
export function platformNamespace(namespace: string): Manifest {
  const levels = { enforce: 'restricted', audit: 'restricted', warn: 'restricted' }
  const security = Object.entries(levels).map(([mode, level]) => [`pod-security.kubernetes.io/${mode}`, level])
  const labels = { ...platformLabels(namespace), ...Object.fromEntries(security) }
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } }
}

/** The platform needs nothing from the cluster that runs it: the account has no rights, and its Pods get no token. */
function serviceAccount({ namespace }: PlatformSettings): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: platformMetadata(namespace),
    automountServiceAccountToken: false,
  }
}
