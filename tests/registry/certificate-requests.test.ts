import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CertificateSigningRequest } from '../../src/api/types/certificates-v1.ts'
import type { RunningApiServer } from '../../src/cluster/api-server/public-types.d.ts'
import { startApiServer } from '../../src/cluster/api-server/testing.ts'
import { findKubectls } from '../support/clusters/kubectl.ts'
import { eventually } from '../support/eventually.ts'
import { call } from '../support/network/call.ts'
import { type MadeRequest, makeRequest, type RequestOptions } from '../support/signing-request.ts'

const group = '/apis/certificates.k8s.io/v1/certificatesigningrequests'
const clientSigner = 'kubernetes.io/kube-apiserver-client'
const nodeSigner = 'kubernetes.io/kube-apiserver-client-kubelet'
let server: RunningApiServer

beforeAll(async () => {
  server = await startApiServer({
    users: [
      { token: 'admin-token', user: 'admin', groups: ['system:masters'] },
      { token: 'approver-token', user: 'approver' },
      { token: 'reporter-token', user: 'reporter' },
      { token: 'domain-token', user: 'domain' },
      { token: 'node-token', user: 'system:node:n1', groups: ['system:nodes'] },
      { token: 'joining-token', user: 'joining', groups: ['system:bootstrappers'] },
    ],
  })
  const parts = ['certificatesigningrequests/approval', 'certificatesigningrequests/status']
  const requests = {
    apiGroups: ['certificates.k8s.io'],
    resources: ['certificatesigningrequests', ...parts],
  }
  const all = { ...requests, verbs: ['*'] }
  await grant('approver', [all])
  await grant('reporter', [all])
  const signers = { apiGroups: ['certificates.k8s.io'], resources: ['signers'], resourceNames: ['example.com/*'] }
  await grant('domain', [all, { ...signers, verbs: ['approve', 'sign'] }])
})
afterAll(() => server.stop())

interface Sent {
  readonly status: number
  readonly body: CertificateSigningRequest & { readonly message?: string }
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

async function grant(user: string, rules: readonly object[]): Promise<void> {
  const rbac = '/apis/rbac.authorization.k8s.io/v1'
  await send('admin', 'POST', `${rbac}/clusterroles`, { metadata: { name: user }, rules })
  await send('admin', 'POST', `${rbac}/clusterrolebindings`, {
    metadata: { name: user },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: user },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
  })
}

let made = 0

interface Created extends Sent, MadeRequest {
  readonly path: string
}

async function create(
  spec: Partial<CertificateSigningRequest['spec']>,
  options: RequestOptions = { subject: '/O=dev/CN=carol' },
  user = 'admin',
): Promise<Created> {
  const name = `request-${++made}`
  const request = makeRequest(options)
  const body = {
    metadata: { name },
    spec: {
      request: Buffer.from(request.request).toString('base64'),
      signerName: clientSigner,
      usages: ['client auth', 'digital signature'],
      ...spec,
    },
  }
  return { ...(await send(user, 'POST', group, body)), ...request, path: `${group}/${name}` }
}

const condition = (type: string) => ({
  status: { conditions: [{ type, status: 'True', reason: 'Test', message: 'm' }] },
})
const approve = (path: string, user = 'admin') => send(user, 'PATCH', `${path}/approval`, condition('Approved'))

/** The state of a request once it is decided. */
async function settled(path: string): Promise<CertificateSigningRequest['status']> {
  let status: CertificateSigningRequest['status'] = {}
  await eventually(async () => {
    status = (await send('admin', 'GET', path)).body.status
    expect(status.certificate ?? status.conditions?.find(({ type }) => type === 'Failed')).toBeDefined()
  })
  return status
}

function certificateIn({ certificate = '' }: CertificateSigningRequest['status']): X509Certificate {
  return new X509Certificate(Buffer.from(certificate, 'base64'))
}

const kubectl = findKubectls().find(({ minor }) => minor >= 28)

it.skipIf(kubectl === undefined)(
  'a user requests a certificate, an administrator approves it, and it identifies the user',
  async () => {
    const home = mkdtempSync(join(tmpdir(), 'certificates-'))
    const run = async (kubeconfig: string, ...parameters: readonly string[]) => {
      const options = { env: { ...process.env, HOME: home, KUBECONFIG: kubeconfig } }
      return (await promisify(execFile)(kubectl?.command ?? '', parameters, options)).stdout
    }
    try {
      const { key, path } = await create({ expirationSeconds: 3600 }, { subject: '/O=dev/O=ops/CN=carol' })
      const name = path.split('/').at(-1) ?? ''
      expect(await run(server.kubeconfig, 'certificate', 'approve', name)).toContain('approved')
      const certificate = certificateIn(await settled(path))
      const table = await run(server.kubeconfig, 'get', 'csr', name, '--no-headers')
      expect(table).toMatch(/kube-apiserver-client +admin +60m +Approved,Issued/)
      const config = JSON.parse(await run(server.kubeconfig, 'config', 'view', '--raw', '-o', 'json'))
      const user = {
        'client-certificate-data': Buffer.from(certificate.toString()).toString('base64'),
        'client-key-data': Buffer.from(key).toString('base64'),
      }
      const file = join(home, 'carol')
      writeFileSync(file, JSON.stringify({ ...config, users: [{ name: config.users[0].name, user }] }))
      const who = await run(file, 'auth', 'whoami', '-o', 'json')
      expect(JSON.parse(who).status.userInfo).toMatchObject({
        username: 'carol',
        groups: ['dev', 'ops', 'system:authenticated'],
      })
      const denied = await create({})
      await run(server.kubeconfig, 'certificate', 'deny', denied.path.split('/').at(-1) ?? '')
      expect((await send('admin', 'GET', denied.path)).body.status.conditions?.[0]).toMatchObject({ type: 'Denied' })
    } finally {
      rmSync(home, { recursive: true })
    }
  },
)

it('a certificate has the requested key and lifetime', async () => {
  const { path } = await create({ expirationSeconds: 1200 })
  await approve(path)
  const { validFrom, validTo, subject, keyUsage, ca } = certificateIn(await settled(path))
  expect({ subject, keyUsage, ca }).toEqual({ subject: 'O=dev\nCN=carol', keyUsage: ['1.3.6.1.5.5.7.3.2'], ca: false })
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)]
  expect(to - from).toBe((1200 + 300) * 1000)
})

it('a request that a signer cannot sign fails with the reason', async () => {
  const { path } = await create({ signerName: nodeSigner }, { subject: '/O=system:nodes/CN=system:admin' })
  await approve(path)
  expect((await settled(path)).conditions?.[1]).toMatchObject({
    type: 'Failed',
    reason: 'SignerValidationFailure',
    message: 'subject common name does not begin with system:node:',
  })
})

it('certificates of nodes are approved as RBAC allows', async () => {
  const binding = (name: string, role: string, subject: object) =>
    send('admin', 'POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', ...subject }],
    })
  const role = (right: string) => `system:certificates.k8s.io:certificatesigningrequests:${right}`
  await binding('joining', 'system:node-bootstrapper', { kind: 'User', name: 'joining' })
  await binding('joining-client', role('nodeclient'), { kind: 'User', name: 'joining' })
  await binding('renewing', 'system:node-bootstrapper', { kind: 'Group', name: 'system:nodes' })
  await binding('renewing-client', role('selfnodeclient'), { kind: 'Group', name: 'system:nodes' })
  const subject = '/O=system:nodes/CN=system:node:n1'
  const joining = await create({ signerName: nodeSigner }, { subject }, 'joining')
  const message = (await settled(joining.path)).conditions?.[0]?.message
  expect(message).toBe('Auto approving kubelet client certificate after SubjectAccessReview.')
  const renewing = await create({ signerName: nodeSigner }, { subject }, 'node')
  const own = (await settled(renewing.path)).conditions?.[0]?.message
  expect(own).toBe('Auto approving self kubelet client certificate after SubjectAccessReview.')
  const other = await create({ signerName: nodeSigner }, { subject: '/O=system:nodes/CN=system:node:n2' }, 'node')
  const after = await create({ signerName: nodeSigner }, { subject }, 'node')
  await settled(after.path)
  expect((await send('admin', 'GET', other.path)).body.status).toEqual({})
})

describe('refusals', () => {
  it.each<[string, RequestOptions, number, RegExp]>([
    [
      'the group of administrators',
      { subject: '/O=dev/O=system:masters/CN=x' },
      403,
      /system:masters group is not allowed/,
    ],
    ['a short key', { subject: '/CN=x', key: ['rsa:1024'] }, 422, /the RSA key has 1024 bits/],
    ['a weak digest', { subject: '/CN=x', more: ['-sha1'] }, 422, /SHA-256 or stronger/],
  ])('a request for %s', async (_, options, status, message) => {
    const answer = await create({}, options)
    expect(answer.status).toBe(status)
    expect(answer.body.message).toMatch(message)
  })

  it('a request that is too long, and an invalid one', async () => {
    const long = Buffer.from(`${'x'.repeat(40_000)}\n${makeRequest({ subject: '/CN=x' }).request}`)
    const tooLong = await create({ request: long.toString('base64') })
    expect(tooLong).toMatchObject({ status: 422, body: { message: expect.stringContaining('Too long') } })
    const junk = '-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n'
    const none = await create({ request: Buffer.from(junk).toString('base64') })
    expect(none).toMatchObject({ status: 422, body: { message: expect.stringContaining('cannot be read') } })
  })

  it('a decision without the right to approve for the signer', async () => {
    const { path } = await create({})
    const refused = await approve(path, 'approver')
    expect(refused.status).toBe(403)
    expect(refused.body.message).toContain(`user not permitted to approve requests with signerName "${clientSigner}"`)
    expect((await approve(path, 'domain')).status).toBe(403)
    const own = await create({ signerName: 'example.com/serving' })
    expect((await approve(own.path, 'domain')).status).toBe(200)
  })

  it('a certificate, or a failure, by a caller who may not sign', async () => {
    const { path } = await create({ signerName: 'example.com/serving' })
    const certificate = Buffer.from(server.certificateAuthority).toString('base64')
    const forged = await send('reporter', 'PATCH', `${path}/status`, { status: { certificate } })
    expect(forged.status).toBe(403)
    expect(forged.body.message).toContain('user not permitted to sign requests with signerName "example.com/serving"')
    expect((await send('reporter', 'PATCH', `${path}/status`, condition('Failed'))).status).toBe(403)
    expect((await send('reporter', 'PATCH', `${path}/approval`, { status: { certificate } })).status).toBe(403)
    expect((await send('reporter', 'PATCH', path, { status: { certificate } })).body.status).toEqual({})
    const junk = Buffer.from('junk').toString('base64')
    expect((await send('domain', 'PATCH', `${path}/status`, { status: { certificate: junk } })).status).toBe(422)
    expect((await send('domain', 'PATCH', `${path}/status`, { status: { certificate } })).status).toBe(200)
    const other = Buffer.from(`${server.certificateAuthority}\n`).toString('base64')
    const replaced = await send('domain', 'PATCH', `${path}/status`, { status: { certificate: other } })
    expect(replaced.body.message).toContain('updates may not modify existing certificate content')
  })

  it('a new spec by /approval, which takes the annotations of an approver', async () => {
    const { path } = await create({ signerName: 'example.com/a' })
    const metadata = { annotations: { 'example.com/reason': 'known device' } }
    const sent = { metadata, spec: { signerName: 'example.com/b' }, ...condition('Approved') }
    const { status, body } = await send('domain', 'PATCH', `${path}/approval`, sent)
    expect([status, body.metadata.annotations, body.spec.signerName]).toEqual([
      200,
      metadata.annotations,
      'example.com/a',
    ])
    expect(body.status.conditions).toEqual([expect.objectContaining({ type: 'Approved' })])
  })

  it('a new certificate by /approval', async () => {
    const { path } = await create({ signerName: 'example.com/serving' })
    const certificate = Buffer.from(server.certificateAuthority).toString('base64')
    const sent = { status: { certificate, ...condition('Approved').status } }
    expect((await send('domain', 'PATCH', `${path}/approval`, sent)).body.status.certificate).toBeUndefined()
  })

  it('a replaced request after its approval', async () => {
    const { path, body } = await create({ signerName: 'example.com/serving' })
    await approve(path)
    const request = Buffer.from(makeRequest({ subject: '/CN=admin' }).request).toString('base64')
    const spec = { request, signerName: clientSigner, username: 'admin', groups: ['system:masters'] }
    for (const part of ['', '/status', '/approval']) {
      const changed = await send('domain', 'PATCH', `${path}${part}`, { spec })
      expect(changed.body.spec).toEqual(body.spec)
    }
  })

  it('an identity other than that of the sender', async () => {
    const { body } = await create(
      { signerName: 'example.com/s', username: 'admin', groups: ['system:masters'] },
      undefined,
      'approver',
    )
    expect(body.spec).toMatchObject({ username: 'approver', groups: ['system:authenticated'] })
  })

  it.each([
    [
      'both decisions',
      [
        { type: 'Approved', status: 'True' },
        { type: 'Denied', status: 'True' },
      ],
      /mutually exclusive/,
    ],
    ['an invalid decision', [{ type: 'Approved', status: 'False' }], /supported values: "True"/],
    [
      'a decision twice',
      [
        { type: 'Approved', status: 'True' },
        { type: 'Approved', status: 'True' },
      ],
      /Duplicate value/,
    ],
  ])('%s', async (_, conditions, message) => {
    const { path } = await create({ signerName: 'example.com/s' })
    const answer = await send('admin', 'PATCH', `${path}/approval`, { status: { conditions } })
    expect(answer.status).toBe(422)
    expect(answer.body.message).toMatch(message)
  })
})

it('a token Secret gets a token, which is valid while the Secret and its account exist', async () => {
  const place = '/api/v1/namespaces/default'
  await send('admin', 'POST', `${place}/serviceaccounts`, { metadata: { name: 'bot' } })
  const annotations = { 'kubernetes.io/service-account.name': 'bot' }
  const secret = (name: string) => ({ metadata: { name, annotations }, type: 'kubernetes.io/service-account-token' })
  for (const name of ['one', 'two']) await send('admin', 'POST', `${place}/secrets`, secret(name))
  const tokens = new Map<string, string>()
  await eventually(async () => {
    for (const name of ['one', 'two']) {
      const { data = {} } = Object((await send('admin', 'GET', `${place}/secrets/${name}`)).body)
      expect(Object.keys(data).toSorted()).toEqual(['ca.crt', 'namespace', 'token'])
      tokens.set(name, Buffer.from(data.token, 'base64').toString())
    }
  })
  const ask = async (name: string) => {
    const headers = { Authorization: `Bearer ${tokens.get(name)}` }
    const { status, text } = await call(Number(new URL(server.url).port), {
      method: 'GET',
      path: `${place}/pods`,
      headers,
      body: undefined,
    })
    return `${status} ${JSON.parse(await text).message}`
  }
  expect(await ask('one')).toMatch(/^403 pods is forbidden: User "system:serviceaccount:default:bot" cannot list/)
  await send('admin', 'DELETE', `${place}/secrets/one`)
  expect(await ask('one')).toMatch(/^401 /)
  expect(await ask('two')).toMatch(/^403 /)
  await send('admin', 'DELETE', `${place}/serviceaccounts/bot`)
  expect(await ask('two')).toMatch(/^401 /)
  await eventually(async () => expect((await send('admin', 'GET', `${place}/secrets/two`)).status).toBe(404))
})
