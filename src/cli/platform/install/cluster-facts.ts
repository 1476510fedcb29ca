import type { KubeClient } from '../../../client/contract.ts'
import { monitorVersion } from './manifests/service-monitor.ts'
import type { ClusterFacts } from './settings.ts'

export async function clusterFacts({ served }: KubeClient): Promise<ClusterFacts> {
  const [monitor, rule, budget] = await Promise.all([
    served.findKind(monitorVersion, 'ServiceMonitor'),
    served.findKind(monitorVersion, 'PrometheusRule'),
    served.findKind('policy/v1', 'PodDisruptionBudget'),
  ])
  return {
    hasServiceMonitors: monitor !== undefined,
    hasPrometheusRules: rule !== undefined,
    disruptionVersion: budget === undefined ? 'policy/v1beta1' : 'policy/v1',
  }
}
