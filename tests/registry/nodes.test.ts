import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunningApiServer } from '../../src/cluster/api-server/public-types.d.ts'
import { startApiServer } from '../../src/cluster/api-server/testing.ts'
import { call } from '../oracle/call.ts'
import { eventually } from '../support/eventually.ts'
import { findKubectls } from '../support/kubectl.ts'
import { makeRequest } from '../support/signing-request.ts'

let server: RunningApiServer

interface Sent {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>> & { readonly message?: string }
}

async function send(user: string, method: string, path: string, body?: object): Promise<Sent> {
  const headers = {
    Authorization: `Bearer ${user}-token`,
    'Content-Type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
  }
  const sent = { method, path, headers, body: body && JSON.stringify(body) }
  const { status, text } = await call(Number(new URL(server.url).port), sent)
  return { status, body: JSON.parse(await text) }
}

async function said(user: string, method: string, path: string, body?: object): Promise<string> {
  const { status, body: answer } = await send(user, method, path, body)
  return status < 400 ? `${status}` : `${status} ${answer.message}`
}

const core = '/api/v1'
const place = `${core}/namespaces/default`
const containers = [{ name: 'c', image: 'nginx' }]

function uidOf({ body }: Sent): string {
  const { metadata } = Object(body)
  return metadata.uid
}

beforeAll(async () => {
  server = await startApiServer({
    users: [
      { token: 'admin-token', user: 'admin', groups: ['system:masters'] },
      { token: 'n1-token', user: 'system:node:n1', groups: ['system:nodes'] },
      { token: 'n2-token', user: 'system:node:n2', groups: ['system:nodes'] },
      { token: 'nameless-token', user: 'system:node:', groups: ['system:nodes'] },
      { token: 'groupless-token', user: 'system:node:n1' },
    ],
  })
  await eventually(async () =>
    expect((await send('admin', 'GET', `${place}/serviceaccounts/default`)).status).toBe(200),
  )
  for (const name of ['n1', 'n2']) await send('admin', 'POST', `${core}/nodes`, { metadata: { name } })
  for (const name of ['used', 'pulled', 'of-volume', 'unused']) {
    await send('admin', 'POST', `${place}/secrets`, { metadata: { name } })
  }
  await send('admin', 'POST', `${place}/configmaps`, { metadata: { name: 'used' } })
  const volume = {
    metadata: { name: 'v' },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      csi: {
        driver: 'd.example.com',
        volumeHandle: 'h',
        nodePublishSecretRef: { name: 'of-volume', namespace: 'default' },
        controllerExpandSecretRef: { name: 'unused', namespace: 'default' },
      },
      claimRef: { namespace: 'default', name: 'c' },
    },
  }
  await send('admin', 'POST', `${core}/persistentvolumes`, volume)
  const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: '' }
  await send('admin', 'POST', `${place}/persistentvolumeclaims`, { metadata: { name: 'c' }, spec: claim })
  const pod = {
    metadata: { name: 'p' },
    spec: {
      nodeName: 'n1',
      containers: [{ ...containers[0], env: [{ name: 'E', valueFrom: { secretKeyRef: { name: 'used', key: 'k' } } }] }],
      imagePullSecrets: [{ name: 'pulled' }],
      volumes: [
        { name: 'a', configMap: { name: 'used' } },
        { name: 'b', persistentVolumeClaim: { claimName: 'c' } },
      ],
    },
  }
  expect((await send('admin', 'POST', `${place}/pods`, pod)).status).toBe(201)
  const elsewhere = { metadata: { name: 'q' }, spec: { nodeName: 'n2', containers } }
  expect((await send('admin', 'POST', `${place}/pods`, elsewhere)).status).toBe(201)
})
afterAll(() => server.stop())

describe('a kubelet reads', () => {
  const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases'
  it.each([
    ['its node', `${core}/nodes/n1`],
    ['its Pod', `${place}/pods/p`],
    ['the Pods of its node', `${core}/pods?fieldSelector=spec.nodeName%3Dn1`],
    ['a Secret of a variable', `${place}/secrets/used`],
    ['that Secret as a list of one', `${place}/secrets?fieldSelector=metadata.name%3Dused`],
    ['a Secret for images', `${place}/secrets/pulled`],
    ['a Secret of the volume of a claim', `${place}/secrets/of-volume`],
    ['a ConfigMap of a volume', `${place}/configmaps/used`],
    ['the certificate of the server', `${place}/configmaps/kube-root-ca.crt`],
    ['a claim', `${place}/persistentvolumeclaims/c`],
    ['its volume', `${core}/persistentvolumes/v`],
    ['all Services', `${core}/services`],
  ])('%s', async (_, path) => {
    expect(await said('n1', 'GET', path)).toBe('200')
  })

  it.each([
    ['another node', `${core}/nodes/n2`, "node 'n1' cannot read 'n2', only its own Node object"],
    ['all nodes', `${core}/nodes`, "node 'n1' cannot read all nodes, only its own Node object"],
    ['a Pod elsewhere', `${place}/pods/q`, "no relationship found between node 'n1' and this object"],
    ['all Pods', `${core}/pods`, 'can only list/watch pods with spec.nodeName field selector'],
    [
      'Pods of another node',
      `${core}/pods?fieldSelector=spec.nodeName%3Dn2`,
      'can only list/watch pods with spec.nodeName field selector',
    ],
    ['a Secret of no Pod', `${place}/secrets/unused`, "no relationship found between node 'n1' and this object"],
    ['a Secret that is not there', `${place}/secrets/zz`, "no relationship found between node 'n1' and this object"],
    ['all Secrets', `${place}/secrets`, 'No Object name found'],
    ['Secrets of all namespaces', `${core}/secrets`, 'can only read namespaced object of this type'],
    ['all volumes', `${core}/persistentvolumes`, 'can only get individual resources of this type'],
    ['an account', `${place}/serviceaccounts/default`, 'can only create tokens for individual service accounts'],
    ['a Lease of another', `${leases}/n2`, 'can only access node lease with the same name as the requesting node'],
    [
      'a Lease elsewhere',
      '/apis/coordination.k8s.io/v1/namespaces/default/leases/n1',
      'can only access leases in the "kube-node-lease" system namespace',
    ],
    [
      'a CSINode of another',
      '/apis/storage.k8s.io/v1/csinodes/n2',
      'can only access CSINode with the same name as the requesting node',
    ],
  ])('not %s', async (_, path, reason) => {
    const answer = await said('n1', 'GET', path)
    expect(answer).toMatch(/^403 /)
    expect(answer.endsWith(`: ${reason}`)).toBe(true)
  })

  it('nothing by its name alone, and nothing without one', async () => {
    expect(await said('groupless', 'GET', `${core}/nodes/n1`)).toMatch(/^403 .* at the cluster scope$/)
    expect(await said('nameless', 'GET', `${core}/nodes/n1`)).toMatch(/: unknown node for user "system:node:"$/)
  })

  it('what a new Pod brings and for as long as it is there', async () => {
    const path = `${place}/secrets/unused`
    const volumes = [{ name: 'a', projected: { sources: [{ secret: { name: 'unused' } }] } }]
    const pod = { metadata: { name: 'late' }, spec: { containers, volumes } }
    await send('admin', 'POST', `${place}/pods`, pod)
    expect(await said('n1', 'GET', path)).toMatch(/^403 /)
    const target = { apiVersion: 'v1', kind: 'Node', name: 'n1' }
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'late' }, target }
    expect(await said('n1', 'POST', `${place}/pods/late/binding`, binding)).toMatch(/^403 /)
    expect(await said('admin', 'POST', `${place}/pods/late/binding`, binding)).toBe('201')
    expect(await said('n1', 'GET', path)).toBe('200')
    expect(await said('n2', 'GET', path)).toMatch(/^403 /)
    expect(await said('n1', 'DELETE', `${place}/pods/late`, { gracePeriodSeconds: 0 })).toBe('200')
    expect(await said('n1', 'GET', path)).toMatch(/^403 /)
  })

  it('no right to bind, by either path; those who may name the Pod in the path or in the body', async () => {
    await send('admin', 'POST', `${place}/pods`, { metadata: { name: 'named' }, spec: { containers } })
    const target = { apiVersion: 'v1', kind: 'Node', name: 'n2' }
    const binding = (name?: string) => ({ apiVersion: 'v1', kind: 'Binding', metadata: { name }, target })
    expect(await said('n2', 'POST', `${place}/bindings`, binding('named'))).toMatch(/^403 /)
    expect(await said('admin', 'POST', `${place}/bindings`, binding())).toBe('400 name is required')
    expect(await said('admin', 'POST', `${place}/bindings`, binding('none'))).toBe('404 pods "none" not found')
    expect(await said('admin', 'POST', `${place}/bindings`, binding('named'))).toBe('201')
    expect(await said('admin', 'POST', `${place}/bindings`, binding('named'))).toMatch(/^409 .* already assigned/)
    const { body } = await send('admin', 'GET', `${place}/pods/named`)
    expect(body.spec).toMatchObject({ nodeName: 'n2' })
  })

  it('and a review says the same', async () => {
    const review = async (attributes: object) => {
      const spec = { user: 'system:node:n1', groups: ['system:nodes'], resourceAttributes: attributes }
      const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews'
      const { body } = await send('admin', 'POST', path, { spec })
      const { status } = Object(body)
      return status.allowed
    }
    const pods = { verb: 'list', resource: 'pods' }
    const own = { key: 'spec.nodeName', operator: 'In', values: ['n1'] }
    expect(await review(pods)).toBe(false)
    expect(await review({ ...pods, fieldSelector: { requirements: [own] } })).toBe(true)
    expect(await review({ ...pods, fieldSelector: { rawSelector: 'spec.nodeName=n1' } })).toBe(true)
    expect(await review({ ...pods, fieldSelector: { requirements: [{ ...own, values: ['n1', 'n2'] }] } })).toBe(false)
    expect(await review({ verb: 'get', resource: 'secrets', namespace: 'default', name: 'used' })).toBe(true)
  })
})

describe('a kubelet writes', () => {
  const forbiddenNode = '403 nodes "n1" is forbidden:'

  it('its own node, without what would draw Pods to it', async () => {
    const own = `${core}/nodes/n1`
    const status = { status: { phase: 'Running' } }
    expect(await said('n1', 'PATCH', `${own}/status`, status)).toBe('200')
    expect(await said('n1', 'PATCH', own, { metadata: { labels: { 'kubernetes.io/os': 'linux', a: 'b' } } })).toBe(
      '200',
    )
    const labels = { 'node-restriction.kubernetes.io/x': 'y', 'node-role.kubernetes.io/z': '' }
    expect(await said('n1', 'PATCH', own, { metadata: { labels } })).toBe(
      `${forbiddenNode} is not allowed to modify labels: node-restriction.kubernetes.io/x, node-role.kubernetes.io/z`,
    )
    expect(await said('n1', 'PATCH', `${own}/status`, { metadata: { labels } })).toContain('to modify labels')
    expect(await said('n1', 'PATCH', own, { spec: { taints: [] } })).toBe(
      `${forbiddenNode} node "n1" is not allowed to modify taints`,
    )
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Namespace', name: 'default', uid: 'x' }]
    expect(await said('n1', 'PATCH', own, { metadata: { ownerReferences } })).toBe(
      `${forbiddenNode} node "n1" is not allowed to modify ownerReferences`,
    )
    expect(await said('n1', 'PATCH', `${core}/nodes/n2/status`, status)).toBe(
      '403 nodes "n2" is forbidden: node "n1" is not allowed to modify node "n2"',
    )
    expect(await said('n1', 'DELETE', own)).toMatch(/^403 .*cannot delete resource "nodes"/)
  })

  it('its own node anew', async () => {
    await send('admin', 'DELETE', `${core}/nodes/n2`)
    const labels = { 'node-restriction.kubernetes.io/x': 'y' }
    expect(await said('n2', 'POST', `${core}/nodes`, { metadata: { name: 'n2', labels } })).toBe(
      '403 nodes "n2" is forbidden: node "n2" is not allowed to set the following labels: node-restriction.kubernetes.io/x',
    )
    expect(await said('n2', 'POST', `${core}/nodes`, { metadata: { name: 'n3' } })).toContain('to modify node "n3"')
    expect(await said('n2', 'POST', `${core}/nodes`, { metadata: { name: 'n2' } })).toBe('201')
  })

  it('the state of its Pods, and evicts them', async () => {
    const running = { status: { phase: 'Running' } }
    expect(await said('n1', 'PATCH', `${place}/pods/p/status`, running)).toBe('200')
    expect(await said('n1', 'PATCH', `${place}/pods/q/status`, running)).toBe(
      '403 pods "q" is forbidden: node "n1" can only update pod status for pods with spec.nodeName set to itself',
    )
    expect(await said('n1', 'PATCH', `${place}/pods/p/status`, { metadata: { labels: { a: 'b' } } })).toBe(
      '403 pods "p" is forbidden: node "n1" cannot update labels through pod status',
    )
    expect(await said('n1', 'PUT', `${place}/pods/p/status`, { metadata: { name: 'p' } })).not.toMatch(/^5/)
    expect(await said('n1', 'DELETE', `${place}/pods/q`)).toBe(
      '403 pods "q" is forbidden: node "n1" can only delete pods with spec.nodeName set to itself',
    )
    const eviction = (name: string) => ({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } })
    expect(await said('n1', 'POST', `${place}/pods/q/eviction`, eviction('q'))).toBe(
      '403 pods "q" is forbidden: node n1 can only evict pods with spec.nodeName set to itself',
    )
    expect(await said('n1', 'POST', `${place}/pods/zz/eviction`, eviction('zz'))).toBe('404 pods "zz" not found')
    await send('admin', 'POST', `${place}/pods`, { metadata: { name: 'r' }, spec: { nodeName: 'n1', containers } })
    expect(await said('n1', 'POST', `${place}/pods/r/eviction`, eviction('r'))).toBe('201')
  })

  it('Pods that it runs by itself, which refer to nothing', async () => {
    const uid = uidOf(await send('admin', 'GET', `${core}/nodes/n1`))
    const owner = { apiVersion: 'v1', kind: 'Node', name: 'n1', uid, controller: true }
    const metadata = { name: 'm', annotations: { 'kubernetes.io/config.mirror': 'x' }, ownerReferences: [owner] }
    const spec = { nodeName: 'n1', containers }
    const create = (pod: object) => said('n1', 'POST', `${place}/pods`, pod)
    const refusals: readonly (readonly [object, string])[] = [
      [
        { metadata: { name: 'm' }, spec },
        'pod does not have "kubernetes.io/config.mirror" annotation, node "n1" can only create mirror pods',
      ],
      [
        { metadata, spec: { ...spec, nodeName: 'n2' } },
        'node "n1" can only create pods with spec.nodeName set to itself',
      ],
      [
        { metadata: { ...metadata, ownerReferences: [] }, spec },
        'node "n1" can only create pods with an owner reference set to itself',
      ],
      [
        { metadata: { ...metadata, ownerReferences: [{ ...owner, controller: false }] }, spec },
        'node "n1" can only create pods with a controller owner reference set to itself',
      ],
      [
        { metadata: { ...metadata, ownerReferences: [{ ...owner, blockOwnerDeletion: true }] }, spec },
        'node "n1" must not set blockOwnerDeletion on an owner reference',
      ],
      [
        { metadata: { ...metadata, ownerReferences: [{ ...owner, uid: 'y' }] }, spec },
        `node n1 UID mismatch: expected y got ${uid}`,
      ],
      [
        { metadata, spec: { ...spec, serviceAccountName: 'default' } },
        'node "n1" can not create pods that reference a service account',
      ],
      [
        { metadata, spec: { ...spec, volumes: [{ name: 's', secret: { secretName: 'unused' } }] } },
        'node "n1" can not create pods that reference secrets',
      ],
      [
        { metadata, spec: { ...spec, containers: [{ ...containers[0], envFrom: [{ configMapRef: { name: 'x' } }] }] } },
        'node "n1" can not create pods that reference configmaps',
      ],
      [
        { metadata, spec: { ...spec, volumes: [{ name: 's', persistentVolumeClaim: { claimName: 'c' } }] } },
        'node "n1" can not create pods that reference persistentvolumeclaims',
      ],
    ]
    expect(await create({ metadata })).toMatch(/^4/)
    for (const [pod, reason] of refusals) expect(await create(pod)).toBe(`403 pods "m" is forbidden: ${reason}`)
    expect(await create({ metadata, spec })).toBe('201')
    expect(await said('n1', 'DELETE', `${place}/pods/m`, { gracePeriodSeconds: 0 })).toBe('200')
  })

  it('tokens for Pods of its own, bound to them', async () => {
    const [own, other] = [
      uidOf(await send('admin', 'GET', `${place}/pods/p`)),
      uidOf(await send('admin', 'GET', `${place}/pods/q`)),
    ]
    const ask = (boundObjectRef?: object, account = 'default') => {
      const spec = { audiences: [], ...(boundObjectRef && { boundObjectRef }) }
      return said('n1', 'POST', `${place}/serviceaccounts/${account}/token`, { spec })
    }
    const pod = { apiVersion: 'v1', kind: 'Pod', name: 'p' }
    const refused = '403 serviceaccounts "default" is forbidden:'
    expect(await ask()).toBe(`${refused} node requested token not bound to a pod`)
    expect(await ask(pod)).toBe(`${refused} node requested token with a pod binding without a uid`)
    expect(await ask({ ...pod, uid: 'x' })).toContain('the UID in the bound object reference (x) does not match')
    expect(await ask({ ...pod, name: 'q', uid: other })).toBe(
      `${refused} node requested token bound to a pod scheduled on a different node`,
    )
    expect(await ask({ ...pod, uid: own }, 'another')).toMatch(/: no relationship found between node 'n1' and this/)
    expect(await ask({ ...pod, uid: own })).toBe('201')
    expect(await said('n1', 'POST', `${place}/serviceaccounts/default/token`, {})).not.toMatch(/^5/)
    expect(await ask({ ...pod, name: {}, uid: own })).toMatch(/^4/)
  })

  it('its Lease, its CSINode and the size of its claims', async () => {
    const leases = (namespace: string) => `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`
    const wrongLease = 'can only access node lease with the same name as the requesting node'
    expect(await said('n1', 'POST', leases('kube-node-lease'), { metadata: { name: 'n2' } })).toBe(
      `403 leases.coordination.k8s.io "n2" is forbidden: ${wrongLease}`,
    )
    expect(await said('n1', 'POST', leases('kube-node-lease'), { metadata: { name: 'n1' } })).toBe('201')
    expect(await said('n1', 'PATCH', `${leases('kube-node-lease')}/n1`, { spec: { holderIdentity: 'n1' } })).toBe('200')
    const csiNodes = '/apis/storage.k8s.io/v1/csinodes'
    expect(await said('n1', 'POST', csiNodes, { metadata: { name: 'n2' }, spec: { drivers: [] } })).toContain(
      'can only access CSINode with the same name as the requesting node',
    )
    expect(await said('n1', 'POST', csiNodes, { metadata: { name: 'n1' }, spec: { drivers: [] } })).toBe('201')
    const claim = `${place}/persistentvolumeclaims/c`
    const size = { status: { capacity: { storage: '1Gi' } } }
    expect(await said('n1', 'PATCH', `${claim}/status`, size)).toBe('200')
    expect(await said('n2', 'PATCH', `${claim}/status`, size)).toMatch(/: no relationship found/)
    expect(await said('n1', 'PATCH', `${claim}/status`, { metadata: { labels: { a: 'b' } } })).toBe(
      '403 persistentvolumeclaims "c" is forbidden: node "n1" is not allowed to update fields other than status.capacity and status.conditions: metadata',
    )
  })

  it('no more than that, whatever roles give it', async () => {
    const rbac = '/apis/rbac.authorization.k8s.io/v1'
    await send('admin', 'POST', `${rbac}/clusterrolebindings`, {
      metadata: { name: 'too-much' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'system:node:n1' }],
    })
    expect(await said('n1', 'GET', `${place}/secrets/unused`)).toBe('200')
    expect(await said('n1', 'PATCH', `${place}/pods/p`, { metadata: { labels: { a: 'b' } } })).toBe(
      '403 pods "p" is forbidden: unexpected operation "UPDATE", node "n1" can only create and delete mirror pods',
    )
    const target = { apiVersion: 'v1', kind: 'Node', name: 'n1' }
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'q' }, target }
    expect(await said('n1', 'POST', `${place}/pods/q/binding`, binding)).toContain(
      `unexpected pod subresource "binding", only 'status' and 'eviction' are allowed`,
    )
    const claims = `${place}/persistentvolumeclaims`
    expect(await said('n1', 'DELETE', `${claims}/c`)).toContain('may only update PVC status')
    expect(await said('n1', 'DELETE', `${core}/nodes/n2`)).toContain('is not allowed to modify node "n2"')
    await send('admin', 'DELETE', `${rbac}/clusterrolebindings/too-much`)
  })
})

const kubectl = findKubectls().find(({ minor }) => minor >= 28)

it.skipIf(kubectl === undefined)(
  'a kubelet with a certificate of the server is its node, for kubectl too',
  async () => {
    const home = mkdtempSync(join(tmpdir(), 'nodes-'))
    const run = async (kubeconfig: string, ...parameters: readonly string[]) => {
      const options = { env: { ...process.env, HOME: home, KUBECONFIG: kubeconfig } }
      try {
        return (await promisify(execFile)(kubectl?.command ?? '', parameters, options)).stdout
      } catch (error) {
        const { stdout, stderr } = Object(error)
        return `${stdout}${stderr}`
      }
    }
    try {
      const { request, key } = makeRequest({ subject: '/O=system:nodes/CN=system:node:n1' })
      const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests'
      const signerName = 'kubernetes.io/kube-apiserver-client-kubelet'
      const spec = {
        request: Buffer.from(request).toString('base64'),
        signerName,
        usages: ['client auth', 'digital signature'],
      }
      await send('admin', 'POST', requests, { metadata: { name: 'n1' }, spec })
      await run(server.kubeconfig, 'certificate', 'approve', 'n1')
      let certificate = ''
      await eventually(async () => {
        const { status } = Object((await send('admin', 'GET', `${requests}/n1`)).body)
        certificate = status.certificate
        expect(certificate).toMatch(/./)
      })
      const config = JSON.parse(await run(server.kubeconfig, 'config', 'view', '--raw', '-o', 'json'))
      const user = { 'client-certificate-data': certificate, 'client-key-data': Buffer.from(key).toString('base64') }
      const file = join(home, 'n1')
      writeFileSync(file, JSON.stringify({ ...config, users: [{ name: config.users[0].name, user }] }))
      expect(await run(file, 'get', 'pods', '-A', '--field-selector', 'spec.nodeName=n1', '-o', 'name')).toContain(
        'pod/p',
      )
      expect(await run(file, 'get', 'secret', 'used', '-o', 'name')).toContain('secret/used')
      expect(await run(file, 'get', 'secret', 'unused')).toContain("no relationship found between node 'n1'")
      expect(await run(file, 'label', 'node', 'n1', 'node-restriction.kubernetes.io/x=y')).toContain(
        'is not allowed to modify labels: node-restriction.kubernetes.io/x',
      )
      expect(await run(file, 'auth', 'can-i', 'get', 'secret/used')).toContain('yes')
      expect(await run(file, 'auth', 'can-i', 'list', 'secrets')).toContain('no')
    } finally {
      rmSync(home, { recursive: true })
    }
  },
)
