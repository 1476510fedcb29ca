import { type Collection, type Draft, events, pods, type Thing } from './objects.ts'
import type { TenantOnHost } from './tenant-on-host.ts'

export const nodes: Collection = { apiVersion: 'v1', kind: 'Node', plural: 'nodes' }
export const replicaSets: Collection = { apiVersion: 'apps/v1', kind: 'ReplicaSet', plural: 'replicasets' }
export const webhooks: Collection = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
}

/** tenant.yaml. */
export const config = {
  networking: { apiAddress: '10.9.9.9:443', dnsAddress: '10.9.9.9' },
  policies: { pods: { runtimeClasses: { allowed: ['sandboxed'] }, priorityClasses: { high: 'important' } } },
}
export const main = { name: 'main', image: 'app:1', resources: { requests: { cpu: '100m' } } }
export const shell = { name: 'shell', image: 'busybox:1', stdin: true, tty: true }
export const metadata = (name: string) => ({ namespace: 'default', name })

export function nodeDraft(name: string): Draft {
  const amounts = { cpu: '4', memory: '8Gi' }
  return { metadata: { name }, status: { capacity: amounts, allocatable: amounts } }
}

/** Actions of tests on Pods of the namespace `default`. */
export interface PodActions {
  createPod(name: string, spec?: object): Promise<Thing>
  debugPod(name: string, ...ephemeralContainers: readonly object[]): Promise<Thing>
  /** All its Events, one in each line. */
  warningsOf(name: string): Promise<string>
}

export function podActions(tenant: () => TenantOnHost): PodActions {
  return {
    createPod: (name, spec = {}) =>
      tenant().virtual.create(pods, { metadata: metadata(name), spec: { containers: [main], ...spec } }),
    debugPod: (name, ...ephemeralContainers) =>
      tenant().virtual.patch(pods, 'default', name, { spec: { ephemeralContainers } }, 'ephemeralcontainers'),
    warningsOf: async (name) => {
      const found = await tenant().virtual.list(events, 'default')
      const about = found.filter(({ involvedObject }) => (involvedObject as { name: string }).name === name)
      return about.map(({ reason, message }) => `${reason}: ${message}`).join('\n')
    },
  }
}
