import { ApiError } from '../../api/error.ts'
import type { ReadList } from '../../registry/aggregation/read-list.ts'
import { metricsGroup } from './asked-metrics.ts'
import type { HostMetrics } from './host-metrics.ts'

/** The host's metrics of the Pods in one namespace, for the autoscalers of the virtual cluster. */
export function readHostMetrics(find: () => HostMetrics | undefined): ReadList {
  return async ({ group, segments: [scope, namespace, resource], query: { labelSelector = '' } }, signal) => {
    const metrics = find()
    const isAsked = group === metricsGroup && scope === 'namespaces' && resource === 'pods' && namespace !== undefined
    if (!isAsked || metrics?.isServed !== true) return { outcome: 'not served' }
    try {
      const selection = { namespace, ...(labelSelector !== '' && { labelSelector }) }
      return { outcome: 'answered', items: await metrics.pods(selection, signal) }
    } catch (error) {
      signal.throwIfAborted()
      const problem = error instanceof ApiError ? error.message : 'the metrics of the host are unavailable'
      return { outcome: 'failed', problem }
    }
  }
}
