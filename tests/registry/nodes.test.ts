import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RunningApiServer } from '../../src/cluster/api-server/public-types.d.ts'
import { startApiServer } from '../../src/cluster/api-server/testing.ts'
import { findKubectls } from '../support/clusters/kubectl.ts'
import { eventually } from '../support/eventually.ts'
import { makeRequest } from '../support/signing-request.ts'
import { callerOf, containers, core, place } from './kubelet/caller.ts'
import { kubeletReads } from './kubelet/reads.ts'
import { kubeletWrites } from './kubelet/writes.ts'

let server: RunningApiServer

const caller = callerOf(() => server.url)
const { send } = caller

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

kubeletReads(caller)
kubeletWrites(caller)

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
