import { firstServing, type ReadList, readingLists } from '../../registry/aggregation/read-list.ts'
import type { ControllerParts } from './controller-parts.ts'

/** The account's name in Kubernetes, where it has the roles for these APIs. */
const autoscaler = {
  name: 'system:serviceaccount:kube-system:horizontal-pod-autoscaler',
  groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'],
}

/** How autoscalers read metrics: those of the host come first, as for clients of the virtual cluster. */
export function metricsReader({ hostMetrics, aggregation }: ControllerParts): ReadList {
  const behind = aggregation && readingLists(aggregation.apis, autoscaler)
  return firstServing([hostMetrics, behind].filter((each) => each !== undefined))
}
