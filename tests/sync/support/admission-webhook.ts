import { expect } from 'vitest'
import { startWebhookServer } from '../../support/network/webhook-server.ts'
import type { ClusterClient } from './cluster-client.ts'
import { soon } from './soon.ts'

const webhooks = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
}

const namespaces = { apiVersion: 'v1', kind: 'Namespace', plural: 'namespaces' }
/** The label of the namespaces for which webhooks are called. Other suites use the cluster, too. */
const watched = 'tests.example.com/webhook'

export interface AdmissionWebhook {
  /** From now on it refuses with this message; undefined: it allows everything. */
  refuse(message: string | undefined): void
  remove(): Promise<void>
}

/** A real server that a real cluster calls before it creates or changes ConfigMaps of one namespace. */
export async function startAdmissionWebhook(cluster: ClusterClient, namespace: string): Promise<AdmissionWebhook> {
  let refusal: string | undefined = 'not asked for anything yet'
  const server = await startWebhookServer(({ body }) => {
    const { apiVersion, kind, request: asked } = JSON.parse(body)
    const isRefused = refusal !== undefined
    const response = {
      uid: asked.uid,
      allowed: !isRefused,
      ...(isRefused && { status: { code: 403, message: refusal } }),
    }
    return { body: JSON.stringify({ apiVersion, kind, response }) }
  })
  await cluster.patch(namespaces, '', namespace, { metadata: { labels: { [watched]: namespace } } })
  await cluster.create(webhooks, {
    metadata: { name: namespace },
    webhooks: [
      {
        name: 'policy.example.com',
        clientConfig: { url: `${server.url}/`, caBundle: server.caBundle },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] }],
        namespaceSelector: { matchLabels: { [watched]: namespace } },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        failurePolicy: 'Ignore',
      },
    ],
  })
  await refusesSomething(cluster, namespace)
  refusal = undefined
  return {
    refuse: (message) => {
      refusal = message
    },
    remove: async () => {
      await cluster.delete(webhooks, '', namespace)
      await server.stop()
    },
  }
}

/** A cluster begins to call a new webhook shortly after it has accepted it. */
async function refusesSomething(cluster: ClusterClient, namespace: string): Promise<void> {
  const draft = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'asks-the-webhook' } }
  const path = `/api/v1/namespaces/${namespace}/configmaps?dryRun=All`
  await soon(async () => expect((await cluster.request('POST', path, draft)).status).toBe(403))
}
