import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { effectiveConfig } from '../../src/api/tenant-config/defaults.ts'
import type { ExtraRoute } from '../../src/server/contract.ts'
import { textResponse } from '../../src/server/responses/responses.ts'
import { auditPods } from '../../src/sync/report/pod-audit.ts'
import { clientOf } from '../create/workplace.ts'
import { findKubectls } from '../support/clusters/kubectl.ts'
import { kubectlOn } from '../support/programs/kubectl.ts'
import { proxiedPods } from './suite/proxied-pods.ts'
import { ClusterClient } from './support/cluster-client.ts'
import { measuredContainers, measuredGroup, measuredRoute, metricsServer } from './support/measured-host.ts'
import { type Collection, events, pods, secrets } from './support/objects.ts'
import { proxiedRoute } from './support/proxied-host.ts'
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
import { aWhile, soon } from './support/soon.ts'
import { createSyncer } from './support/syncer.ts'
import { accessIn, startTenantOnHost, type TenantOnHost } from './support/tenant-on-host.ts'

const policies: Collection = { ...webhooks, kind: 'ValidatingAdmissionPolicy', plural: 'validatingadmissionpolicies' }
const policyBindings: Collection = {
  ...webhooks,
  kind: 'ValidatingAdmissionPolicyBinding',
  plural: 'validatingadmissionpolicybindings',
}
const autoscalers: Collection = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
}

describe('Pods that run on a host', () => {
  let tenant: TenantOnHost
  const { createPod, debugPod, warningsOf } = podActions(() => tenant)

  beforeAll(async () => {
    const moreGroups = () => [measuredGroup]
    tenant = await startTenantOnHost(config, {
      extraRoutes: [logsRoute, execRoute, measuredRoute, proxiedRoute],
      moreGroups,
    })
    for (const name of ['node-1', 'node-2']) await tenant.host.create(nodes, nodeDraft(name))
    await createPod('web')
    await tenant.runPod('web')
  })

  afterAll(() => tenant?.remove())

  describe('are debugged', () => {
    let hostShell: string

    it('with containers that are added to their copy, and whose state is synced back', async () => {
      await debugPod('web', shell)
      await soon(async () => {
        const { spec } = await tenant.copy(pods, 'web')
        const [added] = (spec as { ephemeralContainers: { name: string }[] }).ephemeralContainers
        expect(added).toMatchObject({ name: expect.stringMatching(/^v-shell-/), image: 'busybox:1', tty: true })
        hostShell = added?.name ?? ''
        measuredContainers.add(hostShell)
      })
      const state = { running: { startedAt: '2030-01-01T00:00:00Z' } }
      const statuses = (name: string) => ({
        ephemeralContainerStatuses: [{ name, image: 'busybox:1', imageID: '', ready: false, restartCount: 0, state }],
      })
      const place = [tenant.hostNamespace, tenant.hostName('web')] as const
      await tenant.host.patch(pods, ...place, { status: statuses(hostShell) }, 'status')
      await soon(async () =>
        expect((await tenant.virtual.get(pods, 'default', 'web')).status).toMatchObject(statuses('shell')),
      )
    })

    it('and reached by their own name, which is never that of a container of the host', async () => {
      const log = (container: string) =>
        tenant.virtual.request('GET', `/api/v1/namespaces/default/pods/web/log?container=${container}`)
      expect(await log('shell')).toMatchObject({ status: 200, body: `log of ${hostShell}` })
      expect(await log('main')).toMatchObject({ status: 200, body: 'log of main' })
      await debugPod('web', shell, { ...shell, name: 'mesh-proxy' })
      expect(await log('mesh-proxy')).toMatchObject({ body: expect.stringMatching(/^log of v-mesh-proxy-/) })
      expect(await log(hostShell)).toMatchObject({ status: 400 })
    })

    it('without forbidden fields, and keep running', async () => {
      const evil = { ...shell, name: 'evil', securityContext: { privileged: true } }
      await debugPod('web', shell, { ...shell, name: 'mesh-proxy' }, evil)
      await soon(async () =>
        expect(await warningsOf('web')).toMatch(/DroppedByPolicy: .*spec\.ephemeralContainers\[2\].*privileged/),
      )
      await soon(async () => {
        const { status } = await tenant.virtual.get(pods, 'default', 'web')
        const waiting = {
          reason: 'DroppedByPolicy',
          message: expect.stringContaining('container "evil" must not set securityContext.privileged'),
        }
        expect((status as { ephemeralContainerStatuses?: unknown }).ephemeralContainerStatuses).toMatchObject([
          { name: 'shell', state: { running: {} } },
          { name: 'evil', state: { waiting } },
        ])
      })
      const copy = await tenant.copy(pods, 'web')
      expect(JSON.stringify(copy)).not.toContain('evil')
      expect(copy.metadata.deletionTimestamp).toBeUndefined()
    })
  })

  describe('can be entered', () => {
    const exec = (command: string) =>
      tenant.virtual.request('POST', `/api/v1/namespaces/default/pods/web/exec?stdout=true&command=${command}`)
    const rules = (...resources: readonly string[]) => [
      { apiGroups: [''], apiVersions: ['v1'], operations: ['CONNECT'], resources },
    ]

    it('unless a policy of the tenant refuses, and then the host is not called', async () => {
      const spec = {
        matchConstraints: { resourceRules: rules('pods/exec') },
        validations: [{ expression: "!('sh' in object.command)", message: 'no shells' }],
      }
      await tenant.virtual.create(policies, { metadata: { name: 'shells' }, spec })
      const bound = { policyName: 'shells', validationActions: ['Deny'] }
      await tenant.virtual.create(policyBindings, { metadata: { name: 'shells' }, spec: bound })
      const before = commands.length
      const refused = await exec('sh')
      expect(refused).toMatchObject({ status: 422, body: { message: expect.stringContaining('no shells') } })
      expect(commands.length).toBe(before)
      expect((await exec('date')).status).toBe(200)
      expect(commands.at(-1)).toBe('date')
      await tenant.virtual.delete(policyBindings, '', 'shells')
      await tenant.virtual.delete(policies, '', 'shells')
    })

    it('unless a webhook of the tenant refuses, or is unavailable', async () => {
      const clientConfig = { service: { namespace: 'default', name: 'judge' } }
      const one = { name: 'judge.example.com', clientConfig, sideEffects: 'None', admissionReviewVersions: ['v1'] }
      const asked = { ...one, rules: rules('pods/exec', 'pods/attach') }
      await tenant.virtual.create(webhooks, { metadata: { name: 'judge' }, webhooks: [asked] })
      const before = commands.length
      expect(await exec('sh')).toMatchObject({
        status: 500,
        body: { message: expect.stringContaining('failed calling webhook "judge.example.com"') },
      })
      expect(commands.length).toBe(before)
      await tenant.virtual.delete(webhooks, '', 'judge')
      expect((await exec('sh')).status).toBe(200)
    })
  })

  proxiedPods(() => tenant)

  it('are resized in place', async () => {
    const containers = [{ ...main, resources: { requests: { cpu: '200m' } } }]
    await tenant.virtual.patch(pods, 'default', 'web', { spec: { containers } }, 'resize')
    await soon(async () =>
      expect((await tenant.copy(pods, 'web')).spec).toMatchObject({
        containers: [{ name: 'main', resources: { requests: { cpu: '200m' } } }],
      }),
    )
  })

  describe('are measured', () => {
    it.skipIf(findKubectls().length === 0)('as kubectl top shows it', async () => {
      const kubectl = kubectlOn(findKubectls()[0]?.command ?? '', tenant.syncer.kubeconfig)
      await soon(async () => expect(await kubectl('top pods')).toMatch(/^web +7m +3Mi/m))
      expect(await kubectl('top nodes')).toMatch(/^node-1 +500m +12% +1024Mi/m)
    })

    it('under their own names, without containers and Pods of the host', async () => {
      const path = '/apis/metrics.k8s.io/v1beta1'
      const one = await tenant.virtual.request('GET', `${path}/namespaces/default/pods/web`)
      expect(one.body).toMatchObject({
        kind: 'PodMetrics',
        metadata: { name: 'web', namespace: 'default' },
        containers: [{ name: 'main', usage: { cpu: '7m', memory: '3Mi' } }, { name: 'shell' }],
      })
      const { body } = await tenant.virtual.request('GET', `${path}/pods?labelSelector=app!=other`)
      expect(body).toMatchObject({ kind: 'PodMetricsList', items: [{ metadata: { name: 'web' } }] })
      expect(JSON.stringify([one, body])).not.toMatch(/stranger|mesh-proxy|v-web-|demo-host/)
      const stranger = await tenant.virtual.request('GET', `${path}/namespaces/default/pods/stranger`)
      expect(stranger).toMatchObject({ status: 404, body: { message: 'pods.metrics.k8s.io "stranger" not found' } })
    })

    it('for the autoscalers of the virtual cluster', async () => {
      const labels = { tier: 'scaled' }
      await tenant.virtual.patch(pods, 'default', 'web', { metadata: { labels } })
      const template = { metadata: { labels }, spec: { containers: [main] } }
      const spec = { replicas: 1, selector: { matchLabels: labels }, template }
      await tenant.virtual.create(replicaSets, { metadata: metadata('scaled'), spec })
      const target = { type: 'AverageValue', averageValue: '3Mi' }
      const metrics = [{ type: 'Resource', resource: { name: 'memory', target } }]
      const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'scaled' }
      const scaling = { scaleTargetRef, maxReplicas: 2, metrics }
      await tenant.virtual.create(autoscalers, { metadata: metadata('scaled'), spec: scaling })
      await soon(async () =>
        expect((await tenant.virtual.get(autoscalers, 'default', 'scaled')).status).toMatchObject({
          desiredReplicas: 1,
          currentMetrics: [{ resource: { name: 'memory', current: { averageValue: '3145728' } } }],
        }),
      )
      await tenant.virtual.delete(autoscalers, 'default', 'scaled')
    })

    it('on their own nodes, and on no others, whatever Nodes the tenant creates', async () => {
      await tenant.virtual.create(nodes, nodeDraft('node-2'))
      const path = '/apis/metrics.k8s.io/v1beta1/nodes'
      const { body } = await tenant.virtual.request('GET', path)
      expect(body).toMatchObject({ kind: 'NodeMetricsList', items: [{ metadata: { name: 'node-1' } }] })
      expect(JSON.stringify(body)).not.toContain('node-2')
      expect((await tenant.virtual.request('GET', `${path}/node-2`)).status).toBe(404)
      expect((await tenant.virtual.request('GET', `${path}/node-1`)).status).toBe(200)
      await tenant.virtual.delete(nodes, '', 'node-2')
    })
  })

  it("have no metrics for a while, and the host's network details are not shown", async () => {
    metricsServer.isDown = true
    for (const path of ['pods', 'namespaces/default/pods/web', 'nodes', 'nodes/node-1']) {
      const { status, body } = await tenant.virtual.request('GET', `/apis/metrics.k8s.io/v1beta1/${path}`)
      expect([status, body]).toMatchObject([503, { message: 'the host does not return metrics at the moment' }])
    }
    metricsServer.isDown = false
  })

  it('do not make nodes of the host visible by a forged Node and a Pod that names it', async () => {
    const forged = {
      metadata: {
        name: 'node-2',
        labels: { 'tenant.internal/imported': 'node' },
        annotations: { 'tenant.internal/imported-as': 'node-2', 'tenant.internal/imported-from': 'node-2' },
      },
      spec: {},
    }
    await createPod('spy', { nodeName: 'node-2', schedulingGates: [] })
    await tenant.virtual.create(nodes, forged)
    await soon(async () => expect(await tenant.virtual.find(nodes, '', 'node-2')).toBeUndefined())
    await tenant.virtual.delete(pods, 'default', 'spy')
  })

  it('are compared with their copies, and differences are explained', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tenant-audit-'))
    const hostFile = join(folder, 'host')
    writeFileSync(hostFile, tenant.hostServer.kubeconfig())
    const [host, virtual] = await Promise.all([clientOf(hostFile), clientOf(tenant.syncer.kubeconfig)])
    const identity = { tenant: 'demo', hostNamespace: tenant.hostNamespace }
    const options = { identity, config: effectiveConfig(config), host, virtual, pause: aWhile }
    try {
      const dropped = expect.objectContaining({ object: 'default/web', reason: 'DroppedByPolicy' })
      await soon(async () => expect(await auditPods(options)).toEqual({ compared: 1, differences: [dropped] }))
      await createPod('held', { hostNetwork: true })
      const label = { 'tenant.internal/managed-by': 'demo' }
      const metadata = { namespace: tenant.hostNamespace, name: 'fake', labels: label }
      await tenant.host.create(pods, { metadata, spec: { containers: [main] } })
      expect((await auditPods(options)).differences).toEqual([
        expect.objectContaining({ object: 'demo-host/fake of the host', reason: 'NoCopyOfThisTenant' }),
        expect.objectContaining({ object: 'default/held', reason: 'HeldBackByPolicy' }),
        dropped,
      ])
      await tenant.host.delete(pods, tenant.hostNamespace, 'fake')
      await tenant.virtual.delete(pods, 'default', 'held')
    } finally {
      await Promise.all([host.close(), virtual.close()])
      rmSync(folder, { recursive: true })
    }
  })

  it('are reached only through their own copy: a replacement object is not revealed', async () => {
    await createPod('replaced')
    await tenant.runPod('replaced')
    const path = '/api/v1/namespaces/default/pods/replaced'
    expect(await tenant.virtual.request('GET', `${path}/log`)).toMatchObject({ status: 200, body: 'log of main' })
    const annotations = { 'tenant.internal/object-uid': 'another' }
    await tenant.host.patch(pods, tenant.hostNamespace, tenant.hostName('replaced'), { metadata: { annotations } })
    const before = commands.length
    const refused = { status: 400, body: { message: 'pod replaced does not have a host assigned' } }
    expect(await tenant.virtual.request('GET', `${path}/log`)).toMatchObject(refused)
    expect(await tenant.virtual.request('POST', `${path}/exec?command=sh`)).toMatchObject(refused)
    expect(commands.length).toBe(before)
  })

  it('of a tenant with kept names refer to its own copies, and to no objects of others', async () => {
    const { hostServer, host } = tenant
    const access = { url: hostServer.url, token: 'admin-token', authority: hostServer.authority }
    const namespaces = { enabled: true, mappings: { byName: { default: 'kept-names' } } }
    const place = { tenant: 'kept', hostNamespace: 'kept-host', host: access }
    const kept = createSyncer({ ...place, config: JSON.stringify({ ...config, sync: { toHost: { namespaces } } }) })
    await host.ensureNamespace('kept-names')
    await host.create(secrets, { metadata: { namespace: 'kept-names', name: 'operators' }, data: {} })
    await kept.start()
    const virtual = new ClusterClient(accessIn(kept.kubeconfig))
    const naming = (name: string) => ({
      metadata: metadata(`names-${name}`),
      spec: { containers: [{ ...main, envFrom: [{ secretRef: { name } }] }], automountServiceAccountToken: false },
    })
    try {
      for (const name of ['own', 'operators']) {
        await virtual.create(secrets, { metadata: metadata(name), data: {} })
        await virtual.create(pods, naming(name))
      }
      await soon(async () => {
        const found = await virtual.list(events, 'default')
        const about = found.filter(({ reason }) => reason === 'ReferenceNotCopied')
        expect(about).toMatchObject([{ involvedObject: { name: 'names-operators' } }])
        expect((await host.list(pods, 'kept-names')).map((each) => each.metadata.name)).toEqual(['names-own'])
      })
    } finally {
      await virtual.close()
      await kept.remove()
    }
  })

  describe('are debugged by', () => {
    const named = findKubectls().filter(({ minor }) => minor >= 32)
    const debug = async (command: string, words: string) =>
      kubectlOn(command, tenant.syncer.kubeconfig)(`debug looked-at --image=busybox:1 ${words}`)

    beforeAll(() => createPod('looked-at').then(() => tenant.runPod('looked-at')))

    it.each(named)('$name with a profile that the policy allows', async ({ command, minor }) => {
      await debug(command, `--container=look-${minor} --profile=baseline`)
      await soon(async () => {
        const { spec } = await tenant.copy(pods, 'looked-at')
        const added = (spec as { ephemeralContainers?: { name: string }[] }).ephemeralContainers ?? []
        expect(added.map(({ name }) => name)).toContainEqual(expect.stringMatching(`^v-look-${minor}-`))
      })
    })

    it.each(named)('$name with a forbidden profile, which an Event reports', async ({ command, minor }) => {
      await debug(command, `--container=trace-${minor} --profile=general`)
      await soon(async () => expect(await warningsOf('looked-at')).toMatch(/DroppedByPolicy: .*SYS_PTRACE/))
      expect(JSON.stringify(await tenant.copy(pods, 'looked-at'))).not.toContain('trace-')
    })
  })
})

/** Commands that ran on the host. */
const commands: string[] = []

const execRoute: ExtraRoute = ({ info }) => {
  if (info.form !== 'resource' || info.resource !== 'pods' || info.subresource !== 'exec') return undefined
  return () => {
    commands.push(info.query.get('command') ?? '')
    return textResponse(200, 'done')
  }
}

/** The answer of a kubelet. */
const logsRoute: ExtraRoute = ({ info }) => {
  if (info.form !== 'resource' || info.resource !== 'pods' || info.subresource !== 'log') return undefined
  return () => textResponse(200, `log of ${info.query.get('container')}`)
}
