import type { KubeClient } from '../../../client/contract.ts'
import { disruptionVersionOf } from '../../host/disruption-version.ts'
import { monitorVersion } from './manifests/service-monitor.ts'
import type { ClusterFacts } from './settings.ts'

export async function clusterFacts(cluster: KubeClient): Promise<ClusterFacts> {
  const { served } = cluster
  const [monitor, rule, disruptionVersion] = await Promise.all([
    served.findKind(monitorVersion, 'ServiceMonitor'),
    served.findKind(monitorVersion, 'PrometheusRule'),
    disruptionVersionOf(cluster),
  ])
  return {
    hasServiceMonitors: monitor !== undefined,
    hasPrometheusRules: rule !== undefined,
    disruptionVersion,
  }
}
