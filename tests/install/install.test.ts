import { createPrivateKey, hash, X509Certificate } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import type { KubeObject } from '../../src/api/object.ts'
import { existing, servedTypeOf } from '../../src/cli/host/objects.ts'
import type { KubeClient } from '../../src/client/contract.ts'
import { clientOf, makeWorkplace, type Workplace } from '../create/workplace.ts'
import { findKubernetes } from '../support/clusters/kubernetes-programs.ts'
import { eventually } from '../support/eventually.ts'
import { askForShared } from '../support/shared/ask-for-shared.ts'
import type { SharedKubernetes } from '../support/shared/contract.ts'

const search = findKubernetes()
if (search.outcome === 'missing' && process.env.CI === 'true') throw new Error(search.reason)

const kinds: Readonly<Record<string, string>> = {
  Namespace: 'v1',
  ServiceAccount: 'v1',
  Secret: 'v1',
  Service: 'v1',
  PersistentVolumeClaim: 'v1',
  NetworkPolicy: 'networking.k8s.io/v1',
  Ingress: 'networking.k8s.io/v1',
  StatefulSet: 'apps/v1',
  Deployment: 'apps/v1',
}

describe.skipIf(search.outcome === 'missing')('tenant platform install on a real kube-apiserver', () => {
  let kubernetes: SharedKubernetes
  let host: KubeClient
  let place: Workplace
  beforeAll(async () => {
    if (search.outcome === 'missing') return
    kubernetes = await askForShared('kubernetes')
    host = await clientOf(kubernetes.kubeconfig)
  })
  afterAll(() => host.close())
  beforeEach(() => {
    place = makeWorkplace(kubernetes.kubeconfig)
  })
  afterEach(() => place.remove())

  function platform(command: string, namespace: string, ...more: readonly string[]) {
    return place.tenant(['platform', command, '-n', namespace, ...more])
  }

  function object(kind: string, namespace: string, name = 'tenant-platform'): KubeObject {
    const metadata = kind === 'Namespace' ? { name: namespace } : { namespace, name }
    return { apiVersion: kinds[kind] ?? '', kind, metadata }
  }

  /** Reads objects without checking their types. */
  async function get(kind: string, namespace: string, name?: string) {
    const found = await existing(host, object(kind, namespace, name))
    return found && JSON.parse(JSON.stringify(found))
  }

  async function makeNamespace(namespace: string): Promise<void> {
    const wanted = object('Namespace', namespace)
    await host.create(await servedTypeOf(host, wanted), wanted)
  }

  async function all(namespace: string): Promise<readonly KubeObject[]> {
    const inNamespace = Object.entries(kinds).filter(([kind]) => kind !== 'Namespace')
    const lists = await Promise.all(
      inNamespace.map(async ([kind, apiVersion]) => {
        const { items } = await host.list(await servedTypeOf(host, { apiVersion, kind }), { namespace })
        return items.map((item) => ({ ...item, apiVersion, kind }))
      }),
    )
    return lists.flat()
  }

  const shown = (objects: readonly KubeObject[]) =>
    objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort()

  const keyIn = (stdout: string) => /^admin key +(tpk_\w+)$/m.exec(stdout)?.[1] ?? ''

  async function adminRecord(namespace: string) {
    const secret = await get('Secret', namespace, 'tenant-platform-admin')
    return JSON.parse(Buffer.from(secret.data['admin-key.json'], 'base64').toString())
  }

  /** Without a kubelet nothing becomes ready, so the test writes the status itself. */
  async function pretendReady(namespace: string): Promise<void> {
    await eventually(async () => expect(await get('StatefulSet', namespace)).toBeDefined())
    const set = await get('StatefulSet', namespace)
    const status = { observedGeneration: set.metadata.generation, replicas: 1, readyReplicas: 1, updatedReplicas: 1 }
    await host.updateStatus(await servedTypeOf(host, set), { ...set, status })
  }

  it.each([
    ['embedded', []],
    ['ingress', ['--expose', 'ingress', '--address', 'platform.example.com', '--ingress-class', 'nginx']],
    ['etcd', ['--etcd-secret', 'platform-etcd', '--replicas', '1', '--expose', 'load-balancer']],
    ['port', ['--expose', 'node-port', '--address', '192.0.2.1', '--node-port', '30943', '--tls-secret', 'own']],
  ])('--dry-run prints objects that a server accepts: %s', async (name, flags) => {
    const namespace = `install-dry-${name}`
    const { stdout, stderr, exitCode } = await platform('install', namespace, '--dry-run', ...flags)
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('platform prepare') })
    expect((await platform('install', namespace, '--dry-run', ...flags)).stdout).toBe(stdout)
    const [first, ...others] = parseAllDocuments(stdout).map((document): KubeObject => document.toJS())
    expect(first?.kind).toBe('Namespace')
    await makeNamespace(namespace)
    for (const each of others) await host.create(await servedTypeOf(host, each), each, undefined, { isDryRun: true })
    expect(await get('StatefulSet', namespace)).toBeUndefined()
  })

  it('installs once, shows the key once, and changes nothing the second time', async () => {
    const namespace = 'install-twice'
    const flags = ['--no-wait', '--address', 'platform.example.com']
    const { stdout, stderr, exitCode } = await platform('install', namespace, ...flags)
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
    expect(stdout).toContain('https://platform.example.com')
    expect(stdout).toContain(`kubectl -n ${namespace} get secret tenant-platform-authority`)
    const key = keyIn(stdout)
    expect(await adminRecord(namespace)).toMatchObject({ hash: hash('sha256', key, 'base64') })
    const before = await all(namespace)
    expect(shown(before)).toEqual(
      [
        'NetworkPolicy tenant-platform',
        'Secret tenant-platform-admin',
        'Secret tenant-platform-applied',
        'Secret tenant-platform-authority',
        'Secret tenant-platform-encryption',
        'Secret tenant-platform-license',
        'Service tenant-platform',
        'ServiceAccount tenant-platform',
        'StatefulSet tenant-platform',
      ].sort(),
    )
    expect(JSON.stringify(before)).not.toContain(key)
    expect(JSON.stringify(before)).not.toContain(Buffer.from(key).toString('base64'))
    const again = await platform('install', namespace, '--no-wait')
    expect(again).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('Nothing changes.') })
    expect(again.stdout).toContain('shown when it was made')
    expect(keyIn(again.stdout)).toBe('')
    // An apply that changes nothing may still be recorded as a new one.
    const contents = (objects: readonly KubeObject[]) =>
      objects.map(({ metadata: { managedFields, resourceVersion, ...rest }, ...content }) => ({ ...content, rest }))
    expect(contents(await all(namespace))).toEqual(contents(before))
  })

  it('starts to encrypt the store of an unencrypted platform, and never stops on its own', async () => {
    const namespace = 'install-encryption'
    const keysIn = async () => {
      const secret = await get('Secret', namespace, 'tenant-platform-encryption')
      return secret && Buffer.from(secret.data.keys, 'base64').toString()
    }
    expect(await platform('install', namespace, '--no-wait', '--no-encryption')).toMatchObject({ exitCode: 0 })
    expect(await platform('upgrade', namespace, '--no-wait')).toMatchObject({ exitCode: 0 })
    expect(await keysIn()).toBeUndefined()
    expect(await platform('upgrade', namespace, '--no-wait', '--encryption')).toMatchObject({ exitCode: 0 })
    expect(await keysIn()).toMatch(/^key-[\d-]+ [\w+/]{43}=\nidentity\n$/)
    const refused = await platform('upgrade', namespace, '--no-wait', '--no-encryption')
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('the store is encrypted') })
  })

  it('creates no new encryption keys in place of lost ones', async () => {
    const namespace = 'install-lost-keys'
    expect(await platform('install', namespace, '--no-wait')).toMatchObject({ exitCode: 0 })
    await pretendReady(namespace)
    const lost = object('Secret', namespace, 'tenant-platform-encryption')
    await host.delete(await servedTypeOf(host, lost), { namespace, name: 'tenant-platform-encryption' })
    const before = await get('StatefulSet', namespace)
    for (const command of [['upgrade', '--no-wait', '--image', 'a.example.com/platform:2'], ['prepare']]) {
      const [verb = '', ...flags] = command
      const refused = await platform(verb, namespace, ...flags)
      expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('from a Pod that still runs') })
      expect(await get('Secret', namespace, 'tenant-platform-encryption')).toBeUndefined()
    }
    expect(await get('StatefulSet', namespace)).toEqual(before)
  })

  it('creates a license that its platform accepts', async () => {
    const namespace = 'install-license'
    await platform('prepare', namespace)
    const { data } = await get('Secret', namespace, 'tenant-platform-license')
    const file = (entry: string) => place.file(entry, Buffer.from(data[entry], 'base64').toString())
    const shownLicense = await place.tenant([
      ...['license', 'show', file('license'), '--license-issuer', file('issuer'), '-o', 'json'],
    ])
    expect(JSON.parse(shownLicense.stdout)).toMatchObject({
      state: 'valid',
      features: ['sync-patches', 'platform-link'],
      limits: {},
    })
  })

  it('prepares objects for other installation tools', async () => {
    const namespace = 'install-prepared'
    const prepared = await platform('prepare', namespace, '--tls-secret', 'own')
    expect(prepared).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('no Secret own in namespace') })
    // The command checks for Secrets of the operator before it creates a key that would never be seen.
    expect(await all(namespace)).toEqual([])
    const key = keyIn((await platform('prepare', 'install-prepared-2')).stdout)
    expect(await adminRecord('install-prepared-2')).toMatchObject({ hash: hash('sha256', key, 'base64') })
    expect(await platform('prepare', 'install-prepared-2')).toMatchObject({ stdout: '', exitCode: 0 })
    const authority = async () => (await get('Secret', 'install-prepared-2', 'tenant-platform-authority')).data
    const before = Buffer.from((await authority())['tls.crt'], 'base64').toString()
    expect(await platform('rotate-certificates', 'install-prepared-2', '--installed')).toMatchObject({ exitCode: 0 })
    const { 'tls.crt': after, 'tls.key': key2 } = await authority()
    const bundle = Buffer.from(after, 'base64').toString()
    expect(bundle.endsWith(before)).toBe(true)
    expect(bundle.match(/BEGIN CERTIFICATE/g)).toHaveLength(3)
    expect(new X509Certificate(bundle).checkPrivateKey(createPrivateKey(Buffer.from(key2, 'base64')))).toBe(true)
    expect(shown(await all('install-prepared-2'))).toEqual([
      'Secret tenant-platform-admin',
      'Secret tenant-platform-authority',
      'Secret tenant-platform-encryption',
      'Secret tenant-platform-license',
    ])
  })

  it.each([
    [['--serve-option', '--max-key-lifetme=90d'], 'there is no option --max-key-lifetme of tenant platform serve'],
    [['--serve-option', '--store=file:/tmp'], '--store is set by the installation itself'],
    [['--replicas', '3'], 'an embedded store has one server'],
  ])('%j is refused before anything is created', async (flags, message) => {
    const refused = await platform('install', 'install-refused', '--no-wait', ...flags)
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) })
    expect(await get('Namespace', 'install-refused')).toBeUndefined()
  })

  it('waits until it is ready, and reports what it waits for', async () => {
    const namespace = 'install-waits'
    const waiting = platform('install', namespace, '--timeout', '60s')
    await pretendReady(namespace)
    expect(await waiting).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('port-forward') })
    // Long enough for the host to say how far it is.
    const never = await platform('install', 'install-never', '--timeout', '10s')
    expect(never).toMatchObject({ exitCode: 1 })
    expect(never.stderr).toContain('the platform was not ready within 10 s: 0 of 1 ready')
    expect(never.stderr).toContain('tenant platform uninstall -n install-never')
    expect(await adminRecord('install-never')).toMatchObject({ hash: hash('sha256', keyIn(never.stdout), 'base64') })
  })

  it('an upgrade shows the changes, keeps earlier choices, and rolls back if it fails', async () => {
    const namespace = 'install-upgrade'
    expect(await platform('upgrade', namespace, '--no-wait')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(`there is no platform in namespace ${namespace} to upgrade`),
    })
    const chosen = ['--domain', 'example.com', '--image', 'a.example.com/platform:1']
    await platform('install', namespace, '--no-wait', ...chosen)
    const image = async () => (await get('StatefulSet', namespace)).spec.template.spec.containers[0].image
    const { stderr } = await platform('upgrade', namespace, '--no-wait', '--image', 'a.example.com/platform:2')
    expect(stderr).toMatch(/^-.*platform:1$/m)
    expect(stderr).toMatch(/^\+.*platform:2$/m)
    expect((await get('StatefulSet', namespace)).spec.template.spec.containers[0].args).toContain(
      '--domain=example.com',
    )
    expect(await image()).toBe('a.example.com/platform:2')
    // The state of a StatefulSet that waits for a Pod whose image does not exist.
    const labels = { 'app.kubernetes.io/name': 'tenant-platform', 'app.kubernetes.io/instance': 'tenant-platform' }
    const stuck = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'tenant-platform-0', namespace, labels },
      spec: {
        serviceAccountName: 'tenant-platform',
        automountServiceAccountToken: false,
        containers: [{ name: 'platform', image: 'a.example.com/platform:3' }],
      },
    }
    await host.create(await servedTypeOf(host, stuck), stuck)
    expect(await platform('install', namespace, '--no-wait')).toMatchObject({ exitCode: 0 })
    expect(await existing(host, stuck)).toBeUndefined()
    const failed = await platform('upgrade', namespace, '--timeout', '1s', '--image', 'a.example.com/platform:3')
    expect(failed.stderr).toContain('the upgrade failed and was rolled back: the platform was not ready within 1 s')
    expect(await image()).toBe('a.example.com/platform:2')
    const again = await platform('install', namespace, '--timeout', '1s')
    expect(again).toMatchObject({ exitCode: 1, stderr: expect.not.stringContaining('Rolling back') })
    expect(again.stderr).toContain('Nothing was changed, so there is nothing to roll back.')
    const moved = await platform('upgrade', namespace, '--store', 'etcd:http://etcd:2379')
    expect(moved).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('an upgrade does not move them') })
    const renamed = await platform('upgrade', namespace, '--domain', 'example.org')
    expect(renamed).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('leave --domain as it was') })
    const larger = await platform('upgrade', namespace, '--storage-size', '50Gi')
    expect(larger).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('edit the claim') })
  })

  it('a new key of the administrator replaces the previous one, and restarts the Pods', async () => {
    const namespace = 'install-key'
    const first = keyIn((await platform('install', namespace, '--no-wait')).stdout)
    const before = await adminRecord(namespace)
    const { stdout } = await platform('upgrade', namespace, '--no-wait', '--new-admin-key')
    const second = keyIn(stdout)
    expect(second).not.toBe(first)
    const record = await adminRecord(namespace)
    expect(record.hash).toBe(hash('sha256', second, 'base64'))
    expect(record.madeAtMs).toBeGreaterThan(before.madeAtMs)
    expect((await get('StatefulSet', namespace)).spec.template.metadata.annotations).toHaveProperty([
      'tenant.internal/admin-key',
    ])
  })

  it('foreign objects are left alone', async () => {
    const namespace = 'install-strangers'
    await makeNamespace(namespace)
    const service = { ...object('Service', namespace), spec: { ports: [{ port: 80 }] } }
    await host.create(await servedTypeOf(host, service), service)
    const refused = await platform('install', namespace, '--no-wait')
    expect(refused).toMatchObject({ exitCode: 1 })
    expect(refused.stderr).toContain(`names that the platform needs: Service ${namespace}/tenant-platform`)
    expect(shown(await all(namespace))).toEqual(['Service tenant-platform'])
    await platform('prepare', 'install-beside')
    const beside = await place.tenant(['create', 'demo', '-n', 'install-beside', '--no-wait'])
    expect(beside).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('belongs to a platform') })
    expect(await get('ServiceAccount', 'install-beside', 'tenant-demo')).toBeUndefined()
    await place.tenant(['create', 'tenant', '-n', 'install-tenants', '--no-wait'])
    for (const command of ['install', 'prepare']) {
      const within = await platform(command, 'install-tenants')
      expect(within).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('the one of the virtual cluster tenant'),
      })
    }
    const lacking = await platform('install', 'install-lacking', '--no-wait', '--license-secret', 'bought')
    expect(lacking.stderr).toContain('there is no Secret bought in namespace install-lacking; make it first, with')
    const withoutEtcd = await platform('install', 'install-lacking', '--no-wait', '--etcd-secret', 'given')
    expect(withoutEtcd.stderr).toContain('make it first, with endpoints and ca.crt and tls.crt and tls.key')
    expect(await all('install-lacking')).toEqual([])
  })

  it('an uninstallation lists what it keeps, which a new installation reuses, and deletes it on request', async () => {
    const namespace = 'install-gone'
    await platform('install', namespace, '--no-wait', '--domain', 'example.com')
    const { hash: before } = await adminRecord(namespace)
    const claim = {
      ...object('PersistentVolumeClaim', namespace, 'data-tenant-platform-0'),
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    }
    const labels = { 'app.kubernetes.io/name': 'tenant-platform', 'app.kubernetes.io/instance': 'tenant-platform' }
    await host.create(await servedTypeOf(host, claim), { ...claim, metadata: { ...claim.metadata, labels } })
    expect(await platform('uninstall', namespace)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('--yes'),
    })
    const { stderr } = await platform('uninstall', namespace, '--yes')
    const kept = ['admin', 'applied', 'authority', 'encryption', 'license'].map(
      (name) => `Secret tenant-platform-${name}`,
    )
    expect(shown(await all(namespace))).toEqual(['PersistentVolumeClaim data-tenant-platform-0', ...kept])
    for (const each of ['data-tenant-platform-0', 'tenant-platform-admin', 'tenant-platform-authority']) {
      expect(stderr).toContain(`${namespace}/${each}`)
    }
    const upgrade = await platform('upgrade', namespace)
    expect(upgrade).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('there is no platform in namespace') })
    const back = await platform('install', namespace, '--no-wait')
    expect(keyIn(back.stdout)).toBe('')
    expect(await adminRecord(namespace)).toMatchObject({ hash: before })
    expect((await get('StatefulSet', namespace)).spec.template.spec.containers[0].args).toContain(
      '--domain=example.com',
    )
    await platform('uninstall', namespace, '--yes', '--delete-data')
    const left = (await all(namespace)).filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    expect(shown(left)).toEqual([])
    expect((await get('Namespace', namespace)).metadata).toHaveProperty('deletionTimestamp')
  })
})
