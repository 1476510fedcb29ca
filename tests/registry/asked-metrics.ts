/** APIServices of metrics servers. */
export const metricApis = ['v1beta1.metrics.k8s.io', 'v1beta2.custom.metrics.k8s.io', 'v1beta1.external.metrics.k8s.io']

/** The answers of such a server about one Pod, the Service `backend` and an external queue, by path. */
export function metricAnswers(pod: string): Readonly<Record<string, unknown>> {
  return {
    '/apis/metrics.k8s.io/v1beta1/namespaces/default/pods?labelSelector=app%3Dscaled': {
      metadata: { name: pod },
      containers: [{ name: 'c', usage: { memory: '3Mi' } }],
    },
    '/apis/custom.metrics.k8s.io/v1beta2/namespaces/default/pods/*/requests?labelSelector=app%3Dscaled': {
      describedObject: { name: pod },
      value: '4',
    },
    '/apis/custom.metrics.k8s.io/v1beta2/namespaces/default/services/backend/hits': { value: '7' },
    '/apis/external.metrics.k8s.io/v1beta1/namespaces/default/depth?labelSelector=queue%3Djobs': { value: '50' },
  }
}

const average = (averageValue: string) => ({ type: 'AverageValue', averageValue })
/** The metrics of an autoscaler. */
export const askedMetrics = [
  { type: 'Resource', resource: { name: 'memory', target: average('3Mi') } },
  { type: 'Pods', pods: { metric: { name: 'requests' }, target: average('2') } },
  {
    type: 'Object',
    object: {
      describedObject: { apiVersion: 'v1', kind: 'Service', name: 'backend' },
      metric: { name: 'hits' },
      target: { type: 'Value', value: '7' },
    },
  },
  {
    type: 'External',
    external: { metric: { name: 'depth', selector: { matchLabels: { queue: 'jobs' } } }, target: average('10') },
  },
]
