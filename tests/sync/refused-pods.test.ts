import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWebhookServer, type WebhookServer } from '../support/network/webhook-server.ts'
import { type Collection, type Draft, pods } from './support/objects.ts'
import {
  config,
  main,
  metadata,
  nodeDraft,
  nodes,
  podActions,
  replicaSets,
  shell,
  webhooks,
} from './support/running-pods.ts'
import { soon } from './support/soon.ts'
import { startTenantOnHost, type TenantOnHost } from './support/tenant-on-host.ts'

const quotas: Collection = { apiVersion: 'v1', kind: 'ResourceQuota', plural: 'resourcequotas' }
const runtimeClasses: Collection = { apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', plural: 'runtimeclasses' }
const runtimeClass = { metadata: { name: 'sandboxed' }, handler: 'sandboxed' }
const priorityClasses: Collection = {
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  plural: 'priorityclasses',
}

describe('Pods that the host refuses', () => {
  let tenant: TenantOnHost
  let hook: WebhookServer
  const { createPod, debugPod, warningsOf } = podActions(() => tenant)

  beforeAll(async () => {
    tenant = await startTenantOnHost(config)
    await tenant.host.create(nodes, nodeDraft('node-1'))
    await createPod('web')
    await tenant.runPod('web')
  })

  afterAll(async () => {
    await hook?.stop()
    await tenant?.remove()
  })

  const refusedBy = (layer: RegExp) => ({
    conditions: [
      { type: 'PodScheduled', status: 'False', reason: 'RefusedByHost', message: expect.stringMatching(layer) },
    ],
  })

  const ownedPod = async (name: string, spec: object = {}) => {
    const owner: Draft = {
      metadata: metadata(`${name}-set`),
      spec: {
        replicas: 1,
        selector: { matchLabels: { set: name } },
        template: { metadata: { labels: { set: name } }, spec: { containers: [main], ...spec } },
      },
    }
    await tenant.virtual.create(replicaSets, owner)
  }

  const expectRefused = async (name: string, layer: RegExp) => {
    await soon(async () => {
      const found = await tenant.virtual.list(pods, 'default')
      const pod = found.find(({ metadata: { labels } }) => labels?.set === name)
      expect(pod?.status).toMatchObject(refusedBy(layer))
      expect(await warningsOf(pod?.metadata.name ?? '')).toMatch(layer)
      expect(await warningsOf(`${name}-set`)).toMatch(layer)
    })
    await tenant.virtual.delete(replicaSets, 'default', `${name}-set`)
  }

  /** A webhook of the host that refuses objects with a problem. */
  const startHook = async (resource: string, operation: string, problem: (object: string) => string | undefined) => {
    hook = await startWebhookServer(({ body }) => {
      const { request } = JSON.parse(body) as { request: { uid: string; object: unknown } }
      const message = problem(JSON.stringify(request.object))
      const response = { uid: request.uid, allowed: message === undefined, status: { message } }
      return { body: JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response }) }
    })
    const rules = [{ apiGroups: [''], apiVersions: ['v1'], resources: [resource], operations: [operation] }]
    const clientConfig = { url: hook.url, caBundle: hook.caBundle }
    const one = { name: 'no.example.com', rules, clientConfig, sideEffects: 'None', admissionReviewVersions: ['v1'] }
    await tenant.host.create(webhooks, { metadata: { name: 'no' }, webhooks: [one] })
  }

  const stopHook = async () => {
    await tenant.host.delete(webhooks, '', 'no')
    await hook.stop()
  }

  it('by a webhook report it, and so does their owner', async () => {
    await startHook('pods', 'CREATE', () => 'no Pods on Mondays')
    await ownedPod('hooked')
    await expectRefused('hooked', /an admission webhook of the host refused it.*no Pods on Mondays/)
    await stopHook()
  })

  it('because they could see into an added container report it, and run without that container', async () => {
    const sidecar = { name: 'proxy', image: 'mesh:1' }
    const patch = [{ op: 'add', path: '/spec/containers/-', value: sidecar }]
    hook = await startWebhookServer(({ body }) => {
      const { request } = JSON.parse(body) as { request: { uid: string } }
      const changed = { patchType: 'JSONPatch', patch: btoa(JSON.stringify(patch)) }
      const response = { uid: request.uid, allowed: true, ...changed }
      return { body: JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response }) }
    })
    const mutating = { ...webhooks, kind: 'MutatingWebhookConfiguration', plural: 'mutatingwebhookconfigurations' }
    const rules = [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] }]
    const clientConfig = { url: hook.url, caBundle: hook.caBundle }
    const one = { name: 'mesh.example.com', rules, clientConfig, sideEffects: 'None', admissionReviewVersions: ['v1'] }
    await tenant.host.create(mutating, { metadata: { name: 'mesh' }, webhooks: [one] })
    await createPod('meshed')
    await soon(async () => {
      const { spec } = await tenant.copy(pods, 'meshed')
      expect(spec).toMatchObject({ containers: [{ name: 'main' }, { name: 'proxy' }] })
    })
    await createPod('spying', { shareProcessNamespace: true })
    await soon(async () =>
      expect(await warningsOf('spying')).toMatch(/ProcessesOfHost: the host adds the container "?proxy/),
    )
    expect(await tenant.host.find(pods, tenant.hostNamespace, tenant.hostName('spying'))).toBeUndefined()
    await tenant.host.delete(mutating, '', 'mesh')
    await hook.stop()
    // Its own containers may share processes.
    await tenant.virtual.patch(pods, 'default', 'spying', { metadata: { annotations: { again: 'yes' } } })
    await soon(async () => {
      const { spec } = await tenant.copy(pods, 'spying')
      expect(spec).toMatchObject({ shareProcessNamespace: true, containers: [{ name: 'main' }] })
    })
    for (const name of ['meshed', 'spying']) await tenant.virtual.delete(pods, 'default', name)
  })

  it('because a container is added only in the real create are deleted, and again after a failed deletion', async () => {
    const patch = [{ op: 'add', path: '/spec/containers/-', value: { name: 'proxy', image: 'mesh:1' } }]
    let refused = 0
    hook = await startWebhookServer(({ body }) => {
      const { request } = JSON.parse(body) as { request: { uid: string; operation: string; dryRun: boolean } }
      const isDeletion = request.operation === 'DELETE'
      if (isDeletion) refused += 1
      const changed = { patchType: 'JSONPatch', patch: btoa(JSON.stringify(patch)) }
      const answer = isDeletion ? { allowed: refused > 1, status: { code: 409 } } : { allowed: true }
      const response = { uid: request.uid, ...answer, ...(isDeletion || request.dryRun ? {} : changed) }
      return { body: JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response }) }
    })
    const mutating = { ...webhooks, kind: 'MutatingWebhookConfiguration', plural: 'mutatingwebhookconfigurations' }
    const rules = [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE', 'DELETE'] }]
    const clientConfig = { url: hook.url, caBundle: hook.caBundle }
    const one = { name: 'mesh.example.com', rules, clientConfig, sideEffects: 'None', admissionReviewVersions: ['v1'] }
    await tenant.host.create(mutating, { metadata: { name: 'mesh' }, webhooks: [one] })
    await createPod('lurking', { shareProcessNamespace: true })
    await soon(async () => {
      expect(refused).toBeGreaterThan(1)
      expect(await warningsOf('lurking')).toMatch(/ProcessesOfHost: the host adds the container "?proxy/)
    })
    await soon(async () =>
      expect(await tenant.host.find(pods, tenant.hostNamespace, tenant.hostName('lurking'))).toBeUndefined(),
    )
    await tenant.virtual.delete(pods, 'default', 'lurking')
    await tenant.host.delete(mutating, '', 'mesh')
    await hook.stop()
  })

  it('in one of their debug containers get the next one, and are resized', async () => {
    await startHook('pods/ephemeralcontainers', 'UPDATE', (pod) => (pod.includes('banned:1') ? 'banned' : undefined))
    const banned = { ...shell, name: 'first', image: 'banned:1' }
    const containers = [{ ...main, resources: { requests: { cpu: '300m' } } }]
    await createPod('stuck')
    await debugPod('stuck', banned)
    await soon(async () => expect(await warningsOf('stuck')).toMatch(/pods\/ephemeralcontainers: an admission webhook/))
    const message = expect.stringMatching(
      /^pods\/ephemeralcontainers: an admission webhook .* ask the operator of the host/,
    )
    await soon(async () =>
      expect((await tenant.virtual.get(pods, 'default', 'stuck')).status).toMatchObject({
        ephemeralContainerStatuses: [{ name: 'first', state: { waiting: { reason: 'RefusedByHost', message } } }],
      }),
    )
    await debugPod('stuck', banned, shell)
    await tenant.virtual.patch(pods, 'default', 'stuck', { spec: { containers } }, 'resize')
    await soon(async () => {
      const { spec } = await tenant.copy(pods, 'stuck')
      expect(spec).toMatchObject({ containers, ephemeralContainers: [{ image: 'busybox:1' }] })
    })
    await tenant.virtual.delete(pods, 'default', 'stuck')
    await stopHook()
  })

  it.each([
    ['runtime', { runtimeClassName: 'sandboxed' }, /RuntimeClass admission of the host refused it/],
    ['priority', { priorityClassName: 'high' }, /PriorityClass admission of the host refused it/],
  ])('because of a missing class report it: %s', async (name, spec, layer) => {
    if (name === 'runtime') await tenant.virtual.create(runtimeClasses, runtimeClass)
    else await tenant.virtual.create(priorityClasses, { metadata: { name: 'high' }, value: 10 })
    await ownedPod(name, spec)
    await expectRefused(name, layer)
  })

  it('by Pod Security report it', async () => {
    const level = (enforce: string | null) => ({
      metadata: { labels: { 'pod-security.kubernetes.io/enforce': enforce } },
    })
    const namespaces: Collection = { apiVersion: 'v1', kind: 'Namespace', plural: 'namespaces' }
    await tenant.host.patch(namespaces, '', tenant.hostNamespace, level('restricted'))
    await ownedPod('secured')
    await expectRefused('secured', /PodSecurity of the host refused it.*policies\.pods\.security/s)
    await tenant.host.patch(namespaces, '', tenant.hostNamespace, level(null))
  })

  it('by a quota report it, and run as soon as it has room', async () => {
    await tenant.host.create(quotas, {
      metadata: { namespace: tenant.hostNamespace, name: 'few' },
      spec: { hard: { pods: '1' } },
    })
    await soon(async () =>
      expect((await tenant.host.get(quotas, tenant.hostNamespace, 'few')).status).toMatchObject({ used: {} }),
    )
    await createPod('late')
    await soon(async () =>
      expect((await tenant.virtual.get(pods, 'default', 'late')).status).toMatchObject(
        refusedBy(/a ResourceQuota of the host refused it.*delete unneeded objects/s),
      ),
    )
    await tenant.host.patch(quotas, tenant.hostNamespace, 'few', { spec: { hard: { pods: '9' } } })
    await soon(async () => expect((await tenant.copy(pods, 'late')).metadata.name).toBe(tenant.hostName('late')))
  })
})
