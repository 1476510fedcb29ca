import { expect, vi } from 'vitest'
import type { KubeObject } from '../../src/api/object.ts'
import type { KubeClient } from '../../src/client/contract.ts'

/** A namespace of the host in which a webhook refuses every Service. Resolves once it does. */
export async function makeNamespaceWithoutServices(host: KubeClient, namespace: string): Promise<void> {
  const labels = { services: 'none' }
  await create(host, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } })
  await create(host, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: `no-services-${namespace}` },
    webhooks: [
      {
        name: 'no-services.example.com',
        clientConfig: { url: 'https://127.0.0.1:1/nobody' },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['services'] }],
        namespaceSelector: { matchLabels: labels },
        failurePolicy: 'Fail',
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  })
  const probe = { metadata: { generateName: 'probe-', namespace }, spec: { ports: [{ port: 80 }] } }
  await vi.waitFor(
    () => expect(create(host, { apiVersion: 'v1', kind: 'Service', ...probe })).rejects.toThrow('no-services'),
    { timeout: 240_000, interval: 200 },
  )
}

async function create(host: KubeClient, object: KubeObject): Promise<void> {
  const type = await host.served.findKind(object.apiVersion, object.kind)
  if (type === undefined) throw new Error(`The host serves no ${object.kind}.`)
  await host.create(type, object)
}
