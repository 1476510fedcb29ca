import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import type { ManifestRule } from '../../src/cli/host/manifest.ts'
import type { KubeClient, ResourceType } from '../../src/client/contract.ts'
import { hostName } from '../../src/sync/names/host-name.ts'
import { management, startPlatform, type TestPlatform, userNamed } from '../platform/platform.ts'
import { type Kubernetes, startKubernetes } from '../support/clusters/kubernetes.ts'
import { findKubernetes } from '../support/clusters/kubernetes-programs.ts'
import { eventually } from '../support/eventually.ts'
import { type Pod, runPod } from './pod.ts'
import { clientOf, makeWorkplace, type Workplace } from './workplace.ts'

const search = findKubernetes()
if (search.outcome === 'missing' && process.env.CI === 'true') throw new Error(search.reason)
const account = 'system:serviceaccount:tenant-demo:tenant-demo'

interface AuditLine {
  readonly user: { readonly username: string }
  readonly verb: string
  readonly objectRef?: { readonly resource: string; readonly apiGroup?: string; readonly name?: string }
  readonly responseStatus?: { readonly code: number }
}

describe.skipIf(search.outcome === 'missing')('the objects of tenant create, run like by a kubelet', () => {
  const directory = mkdtempSync(join(tmpdir(), 'tenant-pod-'))
  const auditLog = join(directory, 'audit.log')
  let kubernetes: Kubernetes
  let host: KubeClient
  let virtual: KubeClient
  let platform: TestPlatform
  let place: Workplace
  let pod: Pod
  let endpoints: ResourceType
  let services: ResourceType

  beforeAll(async () => {
    if (search.outcome === 'missing') return
    const policy = join(directory, 'policy.yaml')
    writeFileSync(policy, 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata}]\n')
    kubernetes = await startKubernetes(search.programs, {
      flags: [`--audit-policy-file=${policy}`, `--audit-log-path=${auditLog}`],
    })
    host = await clientOf(kubernetes.kubeconfig)
    platform = await startPlatform({ clock: systemClock })
    await platform.must('POST', `${management}/users`, userNamed('ada'))
    const spec = { members: [{ kind: 'User', name: 'ada', role: 'admin' }] }
    await platform.must('POST', `${management}/projects`, { metadata: { name: 'shop' }, spec })
    place = makeWorkplace(kubernetes.kubeconfig)
    const ca = place.file('ca.crt', platform.server.authority)
    const login = ['platform', 'login', platform.server.url, '--access-key-stdin', '--ca', ca]
    await place.tenant(login, { input: await platform.keyOf('ada') })
    const namespaces = await typeOf('namespaces')
    await host.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shared' } })
    const config = place.file('tenant.yaml', JSON.stringify({ sync: { fromHost } }))
    const created = await place.tenant(['create', 'demo', '-p', 'shop', '--no-wait', '-f', config])
    if (created.exitCode !== 0) throw new Error(created.stderr)
    pod = await runPod({ kubernetes, host, namespace: 'tenant-demo', name: 'demo', directory })
    await pod.program.until('ready', () => /^ready$/m.test(pod.program.output()), 240_000)
    virtual = await clientOf(join(pod.data, 'kubeconfig'))
    endpoints = await typeOf('endpoints')
    services = await typeOf('services')
  })
  afterAll(async () => {
    await pod?.program.kill()
    await virtual?.close()
    await host?.close()
    await platform?.stop()
    await kubernetes?.remove()
    place?.remove()
    rmSync(directory, { recursive: true, force: true })
  })

  async function typeOf(resource: string): Promise<ResourceType> {
    const type = await host.served.find('', resource)
    if (type === undefined) throw new Error(resource)
    return type
  }

  const copyOf = (name: string) => ({
    namespace: 'tenant-demo',
    name: hostName({ hostNamespace: 'tenant-demo', tenant: 'demo', namespace: 'default', name }),
  })

  const web = (ip: string) => ({
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { namespace: 'default', name: 'web' },
    subsets: [{ addresses: [{ ip }], ports: [{ port: 80 }] }],
  })

  it('links to the platform with the key created for it', async () => {
    const path = `${management}/namespaces/p-shop/virtualclusterinstances/demo`
    await eventually(async () =>
      expect((await platform.must('GET', path)).status).toMatchObject({ online: true, phase: 'Online' }),
    )
    expect(await place.tenant(['list', '-p', 'shop'])).toMatchObject({
      stdout: expect.stringMatching(/^demo +shop +Online/m),
    })
    expect(await place.tenant(['doctor', 'demo'])).toMatchObject({ exitCode: 0 })
  })

  it('syncs creations, changes and deletions', async () => {
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { namespace: 'default', name: 'web' },
      spec: { ports: [{ port: 80 }] },
    }
    await virtual.create(services, service)
    await virtual.create(endpoints, web('10.1.2.3'))
    const ready = (ip: string) => ({ subsets: [{ addresses: [{ ip }] }] })
    await eventually(async () => expect(await host.get(endpoints, copyOf('web'))).toMatchObject(ready('10.1.2.3')))
    await eventually(async () =>
      expect(await host.get(services, copyOf('web'))).toMatchObject({ spec: { ports: [{ port: 80 }] } }),
    )
    await virtual.update(endpoints, web('10.1.2.4'))
    await eventually(async () => expect(await host.get(endpoints, copyOf('web'))).toMatchObject(ready('10.1.2.4')))
    await virtual.delete(endpoints, { namespace: 'default', name: 'web' })
    await virtual.delete(services, { namespace: 'default', name: 'web' })
    await eventually(() => expect(host.get(endpoints, copyOf('web'))).rejects.toMatchObject({ code: 404 }))
  })

  it('imports a single allowed object, and all of a namespace', async () => {
    const [secrets, configMaps] = [await typeOf('secrets'), await typeOf('configmaps')]
    const shared = (kind: string, name: string) => ({ apiVersion: 'v1', kind, metadata: { namespace: 'shared', name } })
    await host.create(secrets, { ...shared('Secret', 'ca'), data: { a: 'MQ==' } })
    await host.create(secrets, { ...shared('Secret', 'other'), data: { a: 'Mg==' } })
    await host.create(configMaps, { ...shared('ConfigMap', 'settings'), data: { a: '1' } })
    const at = (namespace: string, name: string) => ({ namespace, name })
    await eventually(async () => {
      expect(await virtual.get(secrets, at('default', 'ca'))).toMatchObject({ data: { a: 'MQ==' } })
      expect(await virtual.get(configMaps, at('imported', 'settings'))).toMatchObject({ data: { a: '1' } })
    })
  })

  it('stores the kubeconfig of its administrator in a Secret', async () => {
    const { data } = await host.get(await typeOf('secrets'), { namespace: 'tenant-demo', name: 'tenant-demo' })
    expect(Buffer.from(String(Object(data).config), 'base64').toString()).toContain('"clusters"')
  })

  it('has exactly the rights that it needs', async () => {
    const lines: readonly AuditLine[] = readFileSync(auditLog, 'utf8')
      .split('\n')
      .filter((line) => line.includes(account))
      .map((line) => JSON.parse(line))
    const own = lines.filter(({ user }) => user.username === account)
    expect(own.length).toBeGreaterThan(10)
    const refused = own.filter(({ responseStatus }) => responseStatus?.code === 403)
    // The tenant would create its namespace if that were missing, and continues without the right to.
    expect(new Set(refused.map(({ verb, objectRef }) => `${verb} ${objectRef?.resource}`))).toEqual(
      new Set(['create namespaces']),
    )
    const role = await host.served.findKind('rbac.authorization.k8s.io/v1', 'Role')
    if (role === undefined) throw new Error('no Role')
    const { rules } = await host.get(role, { namespace: 'tenant-demo', name: 'tenant-demo' })
    const withoutUse: readonly ManifestRule[] = (Array.isArray(rules) ? rules : []).filter((rule) => !isUsed(rule, own))
    expect(withoutUse.length).toBeGreaterThan(0)
    expect(unused).toEqual(expect.arrayContaining([...withoutUse]))
  })

  it('is gone after tenant delete, with all synced objects', async () => {
    await virtual.create(endpoints, { ...web('10.9.9.9'), metadata: { namespace: 'default', name: 'left' } })
    await eventually(async () => expect(await host.get(endpoints, copyOf('left'))).toBeDefined())
    await pod.program.stop()
    expect(await place.tenant(['delete', 'demo', '--yes'])).toMatchObject({ exitCode: 0 })
    await expect(host.get(endpoints, copyOf('left'))).rejects.toMatchObject({ code: 404 })
    const secrets = await host.list(await typeOf('secrets'), { namespace: 'tenant-demo' })
    expect(secrets.items.filter(({ type }) => type !== 'kubernetes.io/service-account-token')).toEqual([])
  })
})

const fromHost = {
  secrets: { enabled: true, mappings: { byName: { 'shared/ca': 'default/ca' } } },
  configMaps: { enabled: true, mappings: { byName: { 'shared/*': 'imported/*' } } },
}

/**
 * Rights that may have no use here: Events about itself are written only when something is wrong, no caller connects to a
 * Pod, no Pod has readiness gates, debug containers or a resize, and this host has no metrics.
 */
const unused: readonly ManifestRule[] = [
  { apiGroups: [''], resources: ['events'], verbs: ['get', 'create', 'patch'] },
  { apiGroups: [''], resources: ['pods/log'], verbs: ['get'] },
  { apiGroups: ['metrics.k8s.io'], resources: ['pods'], verbs: ['get', 'list'] },
  { apiGroups: [''], resources: ['pods/status', 'pods/ephemeralcontainers', 'pods/resize'], verbs: ['patch'] },
  { apiGroups: [''], resources: ['pods/exec', 'pods/attach', 'pods/portforward'], verbs: ['get', 'create'] },
  { apiGroups: [''], resources: ['pods/proxy'], verbs: ['get', 'create', 'update', 'patch', 'delete'] },
]

function isUsed({ apiGroups, resources, resourceNames, verbs }: ManifestRule, lines: readonly AuditLine[]): boolean {
  return resources.every((resource) =>
    lines.some(
      ({ verb, objectRef }) =>
        objectRef?.resource === resource &&
        apiGroups.includes(objectRef.apiGroup ?? '') &&
        verbs.includes(verb) &&
        (resourceNames === undefined || objectRef.name === undefined || resourceNames.includes(objectRef.name)),
    ),
  )
}
