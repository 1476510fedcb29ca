import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeCertificates } from '../../support/certificates.ts'
import type { ClusterClient } from './cluster-client.ts'

const webhooks = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
}

export interface AdmissionWebhook {
  /** From now on it refuses with this message; nothing: it lets everything pass. */
  refuse(message: string | undefined): void
  remove(): Promise<void>
}

/** A real server that a real cluster asks before it creates or changes ConfigMaps of one namespace. */
export async function startAdmissionWebhook(cluster: ClusterClient, namespace: string): Promise<AdmissionWebhook> {
  const directory = mkdtempSync(join(tmpdir(), 'tenant-webhook-'))
  const { caFile, certFile, keyFile } = await makeCertificates(directory, 'webhook')
  let refusal: string | undefined
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
  await cluster.create(webhooks, {
    metadata: { name: namespace },
    webhooks: [
      {
        name: 'policy.example.com',
        clientConfig: { url: `https://127.0.0.1:${port}/`, caBundle: readFileSync(caFile).toString('base64') },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] }],
        // Other suites use the cluster, too.
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        failurePolicy: 'Ignore',
      },
    ],
  })
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
