import type { KubeObject } from '../../src/api/object.ts'
import type { PatchConfig } from '../../src/api/tenant-config/types.ts'

const subsetCount = 4

/** Endpoints with that many addresses, in subsets of equal size. */
export function endpointsWith(addressCount: number, number: number): KubeObject {
  const perSubset = addressCount / subsetCount
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: {
      name: `service-${number}`,
      namespace: 'default',
      labels: { app: `service-${number}` },
      annotations: { 'example.com/owner': 'team-a', 'example.com/host': 'service.default.svc.cluster.local' },
    },
    subsets: Array.from({ length: subsetCount }, (_, subset) => ({
      addresses: Array.from({ length: perSubset }, (_, address) => ({
        ip: `10.${number % 256}.${subset}.${address % 256}`,
        nodeName: `node-${address}`,
        targetRef: { kind: 'Pod', name: `pod-${number}-${subset}-${address}`, namespace: 'default' },
      })),
      ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
    })),
  }
}

export const patches: readonly PatchConfig[] = [
  {
    path: 'subsets[*].addresses[*].nodeName',
    expression: 'context.vcluster.name + "-" + value',
    reverseExpression: 'value.slice(context.vcluster.name.length + 1)',
  },
  { path: 'metadata.annotations[*]', expression: '"p-" + value', reverseExpression: 'value.slice(2)' },
  { path: 'metadata.labels.app', expression: 'value.toUpperCase()', reverseExpression: 'value.toLowerCase()' },
]
