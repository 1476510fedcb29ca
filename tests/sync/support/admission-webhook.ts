import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { makeCertificates } from '../../support/certificates.ts'
import type { ClusterClient } from './cluster-client.ts'
import { soon } from './soon.ts'

const webhooks = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
}

const namespaces = { apiVersion: 'v1', kind: 'Namespace', plural: 'namespaces' }
/** The label of the namespaces that webhooks are asked about. Other suites use the cluster, too. */
const watched = 'tests.example.com/webhook'

export interface AdmissionWebhook {
  /** From now on it refuses with this message; nothing: it lets everything pass. */
  refuse(message: string | undefined): void
  remove(): Promise<void>
}

/** A real server that a real cluster asks before it creates or changes ConfigMaps of one namespace. */
export async function startAdmissionWebhook(cluster: ClusterClient, namespace: string): Promise<AdmissionWebhook> {
  const directory = mkdtempSync(join(tmpdir(), 'tenant-webhook-'))
  const { caFile, certFile, keyFile } = await makeCertificates(directory, 'webhook')
  let refusal: string | undefined = 'not asked for anything yet'
  const server = createServer(
    { cert: readFileSync(certFile), key: readFileSync(keyFile) },
    async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const { apiVersion, kind, request: asked } = JSON.parse(Buffer.concat(chunks).toString())
      const isRefused = refusal !== undefined
      const answer = {
        uid: asked.uid,
        allowed: !isRefused,
        ...(isRefused && { status: { code: 403, message: refusal } }),
      }
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ apiVersion, kind, response: answer }))
    },
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await cluster.patch(namespaces, '', namespace, { metadata: { labels: { [watched]: namespace } } })
  await cluster.create(webhooks, {
    metadata: { name: namespace },
    webhooks: [
      {
        name: 'policy.example.com',
        clientConfig: { url: `https://127.0.0.1:${port}/`, caBundle: readFileSync(caFile).toString('base64') },
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
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** A cluster asks a new webhook a moment after it has accepted it. */
async function refusesSomething(cluster: ClusterClient, namespace: string): Promise<void> {
  const draft = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'asks-the-webhook' } }
  const path = `/api/v1/namespaces/${namespace}/configmaps?dryRun=All`
  await soon(async () => expect((await cluster.request('POST', path, draft)).status).toBe(403))
}
