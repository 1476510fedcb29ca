import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyName } from '../chaos/names.ts'
import { freePort } from '../support/network/free-port.ts'
import { ClusterClient } from './support/cluster-client.ts'
import { type Flavor, type HostCluster, startHost } from './support/clusters.ts'
import { configMaps, endpoints, oneAddress, services, type Thing } from './support/objects.ts'
import { isRealRequired, missingFor } from './support/pairings.ts'
import { soon, stays } from './support/soon.ts'
import { createSyncer, type Syncer } from './support/syncer.ts'
import { accessIn } from './support/tenant-on-host.ts'

const place = { tenant: 'whole', hostNamespace: 'whole-host' }
const config = JSON.stringify({ policies: { sync: { nodePorts: { enabled: true } } } })
const webhookConfigurations = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
}
const flavors: readonly Flavor[] = ['embedded', 'real']

for (const flavor of flavors) {
  const missing = missingFor({ virtual: 'embedded', host: flavor })
  describe.skipIf(missing !== undefined && !isRealRequired())(
    `a virtual cluster with its embedded control plane, ${flavor} host${missing === undefined ? '' : ` (${missing})`}`,
    () => {
      let host: HostCluster
      let tenant: Syncer
      let virtual: ClusterClient

      beforeAll(async () => {
        host = await startHost(flavor)
        const flags = ['--port', String(await freePort())]
        tenant = createSyncer({ ...place, host: host.server, config, flags })
        await tenant.start()
        virtual = new ClusterClient(accessIn(tenant.kubeconfig))
      })

      afterAll(async () => {
        await virtual?.close()
        await tenant?.remove()
        await host?.remove()
      })

      const copy = (kind: typeof services, name: string) =>
        host.client.get(kind, place.hostNamespace, copyName(place, 'default', name))

      it('creates the namespace that it needs on the host', async () => {
        const answer = await host.client.request('GET', `/api/v1/namespaces/${place.hostNamespace}`)
        expect(answer.status).toBe(200)
      })

      it('a Service gets the cluster IP and the node port that the host assigns', async () => {
        const spec = {
          type: 'NodePort',
          ports: [{ name: 'http', port: 80, protocol: 'TCP' }],
          selector: { app: 'web' },
        }
        await virtual.create(services, { metadata: { namespace: 'default', name: 'web' }, spec })
        await soon(async () => {
          const [ours, theirs] = [await virtual.get(services, 'default', 'web'), await copy(services, 'web')]
          expect(assigned(ours)).toEqual(assigned(theirs))
          expect(assigned(ours)).toMatchObject({
            clusterIP: expect.stringMatching(/^\d+\./),
            nodePort: expect.any(Number),
          })
        })
        await stays(async () => {
          const versions = [await virtual.get(services, 'default', 'web'), await copy(services, 'web')]
          expect(versions.map(assigned)[0]).toEqual(versions.map(assigned)[1])
        })
      })

      it('the address of a recreated copy is followed', async () => {
        await virtual.create(services, {
          metadata: { namespace: 'default', name: 'moved' },
          spec: { ports: [{ port: 80 }] },
        })
        await soon(async () =>
          expect(assigned(await virtual.get(services, 'default', 'moved'))).toEqual(
            assigned(await copy(services, 'moved')),
          ),
        )
        await host.client.delete(services, place.hostNamespace, copyName(place, 'default', 'moved'))
        await soon(async () =>
          expect(assigned(await virtual.get(services, 'default', 'moved'))).toEqual(
            assigned(await copy(services, 'moved')),
          ),
        )
      })

      it('webhooks are called at the copy of their Service on the host, and of no other Service', async () => {
        await virtual.create(services, {
          metadata: { namespace: 'default', name: 'hooks' },
          spec: { ports: [{ port: 443 }] },
        })
        await virtual.create(webhookConfigurations, {
          metadata: { name: 'hooks' },
          webhooks: [webhookAt('hooks'), webhookAt('kubernetes')],
        })
        const refusalFor = async (name: string) => {
          const draft = { metadata: { name: 'asked-about', labels: { asked: name } } }
          return JSON.stringify(
            await virtual.request('POST', '/api/v1/namespaces/default/configmaps?dryRun=All', draft),
          )
        }
        await soon(async () => {
          const refusal = await refusalFor('hooks')
          expect(refusal).toContain('Post \\"https://hooks.default.svc:443/?timeout=1s\\"')
          expect(refusal).not.toContain('no address on the host')
        })
        expect(await refusalFor('kubernetes')).toContain('has no address on the host')
        await virtual.delete(webhookConfigurations, '', 'hooks')
      })

      it('after a kill it returns with its data, in step, and writes nothing', async () => {
        await virtual.create(endpoints, {
          metadata: { namespace: 'default', name: 'kept' },
          subsets: oneAddress('10.0.0.1'),
        })
        await virtual.create(configMaps, { metadata: { namespace: 'default', name: 'unreferenced' }, data: { a: '1' } })
        await soon(() => copy(endpoints, 'kept').then(() => undefined))
        const before = (await copy(endpoints, 'kept')).metadata
        await tenant.kill()
        await tenant.start()
        expect((await virtual.get(endpoints, 'default', 'kept')).subsets).toEqual(oneAddress('10.0.0.1'))
        await stays(async () => expect((await copy(endpoints, 'kept')).metadata).toEqual(before))
        expect(
          await host.client.find(configMaps, place.hostNamespace, copyName(place, 'default', 'unreferenced')),
        ).toBeUndefined()
      })

      it('keeps no more than its configuration allows, and applies a change at once', async () => {
        const data = { text: 'x'.repeat(900_000) }
        const create = () =>
          virtual.request('POST', `/api/v1/namespaces/default/configmaps?dryRun=All`, {
            metadata: { name: 'large' },
            data,
          })
        expect((await create()).status).toBe(201)
        tenant.configure(JSON.stringify({ controlPlane: { storage: { maxTotalSize: '900k' } } }))
        await soon(async () => expect((await create()).status).toBe(403))
        expect(JSON.stringify((await create()).body)).toContain('raise controlPlane.storage.maxObjects or')
        tenant.configure(config)
        await soon(async () => expect((await create()).status).toBe(201))
      })

      it('shows the sync state of its objects to its administrator', async () => {
        // A changed configuration begins it anew.
        await soon(async () => {
          const { status, body } = await virtual.request('GET', '/debug/sync')
          expect(status).toBe(200)
          expect(JSON.stringify(body)).toContain('in-step')
          const metrics = await virtual.request('GET', '/metrics')
          expect(String(metrics.body)).toContain('tenant_sync_objects{kind="endpoints",state="in-step"}')
          expect(String(metrics.body)).toContain('workqueue_depth{name="deployment-controller"}')
        })
      })
    },
  )
}

/** It is called for ConfigMaps that have its name as a label. */
function webhookAt(name: string) {
  return {
    name: `${name}.example.com`,
    clientConfig: { service: { namespace: 'default', name } },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
    objectSelector: { matchLabels: { asked: name } },
    timeoutSeconds: 1,
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  }
}

function assigned({ spec }: Thing): unknown {
  if (typeof spec !== 'object' || spec === null || !('clusterIP' in spec) || !('ports' in spec)) return undefined
  const [port] = Array.isArray(spec.ports) ? spec.ports : []
  return { clusterIP: spec.clusterIP, nodePort: port?.nodePort }
}
