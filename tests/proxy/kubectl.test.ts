import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { printKubeconfig } from '../../src/cluster/kubeconfig.ts'
import { inside, type LinkedWorld, startLinkedWorld } from '../link/support.ts'
import { management, userNamed } from '../platform/platform.ts'
import { findKubectls } from '../support/clusters/kubectl.ts'
import { eventually } from '../support/eventually.ts'

const kubectls = findKubectls()

describe.skipIf(kubectls.length === 0)('kubectl through the platform', () => {
  let world: LinkedWorld & { stop(): Promise<void> }
  let home: string

  beforeAll(async () => {
    world = await startLinkedWorld()
    home = await mkdtemp(join(tmpdir(), 'tenant-kubectl-'))
    const { url, authority } = world.platform.server
    const server = `${url}${inside('dev')}`
    const token = await world.platform.keyOf('admin')
    const kubeconfig = printKubeconfig([{ name: 'dev', server, certificateAuthority: authority, token }])
    await writeFile(join(home, 'kubeconfig'), kubeconfig, { mode: 0o600 })
  })

  afterAll(async () => {
    await world.stop()
    await rm(home, { recursive: true, force: true })
  })

  it('cannot impersonate a service account for a user without that right inside', async () => {
    const { platform } = world
    await platform.must('POST', `${management}/users`, userNamed('reader'))
    await platform.ask('PATCH', `${management}/projects/default`, {
      body: { spec: { members: [{ kind: 'User', name: 'reader', role: 'viewer' }] } },
      type: 'application/merge-patch+json',
    })
    const headers = { 'impersonate-user': 'system:serviceaccount:kube-system:default' }
    const token = await platform.keyOf('reader')
    const answer = await platform.ask('GET', `${inside('dev')}/api/v1/pods`, { token, headers })
    expect(answer).toMatchObject({
      status: 403,
      body: {
        message: expect.stringMatching(/User "reader" cannot impersonate resource "serviceaccounts" .*"kube-system"/),
      },
    })
  })

  const environment = () => ({ ...process.env, HOME: home, KUBECONFIG: join(home, 'kubeconfig') })

  describe.each(kubectls.map((binary) => [binary.name, binary] as const))('%s', (version, binary) => {
    const run = async (...args: readonly string[]) =>
      (await promisify(execFile)(binary.command, args, { env: environment() })).stdout

    it('creates, gets, applies, deletes, and queries its rights', async () => {
      const name = `made-by-${version.replace(/\W/g, '-')}`
      expect(await run('create', 'configmap', name, '--from-literal=a=b')).toContain('created')
      expect(await run('get', 'configmap', name, '-o', 'jsonpath={.data.a}')).toBe('b')
      expect(await run('get', 'namespaces', '-o', 'name')).toContain('namespace/kube-system')
      expect(await run('auth', 'can-i', 'delete', 'namespaces')).toContain('yes')
      expect(await run('delete', 'configmap', name)).toContain('deleted')
    })

    it('queries the rights of a service account of the virtual cluster, and impersonates it', async () => {
      const name = `robot-${version.replace(/\W/g, '-')}`
      await run('create', 'serviceaccount', name)
      await run('create', 'rolebinding', name, '--clusterrole=view', `--serviceaccount=default:${name}`)
      const as = `--as=system:serviceaccount:default:${name}`
      const whether = (...asked: readonly string[]) =>
        run('auth', 'can-i', ...asked, as).catch(({ stdout }: { stdout: string }) => stdout)
      await eventually(async () => expect(await whether('list', 'pods')).toBe('yes\n'))
      expect(await whether('list', 'secrets')).toBe('no\n')
      expect(await run('get', 'configmaps', as, '-o', 'name')).toContain('configmap/kube-root-ca.crt')
      await expect(run('get', 'secrets', as)).rejects.toMatchObject({
        stderr: expect.stringContaining(`User "system:serviceaccount:default:${name}" cannot list resource "secrets"`),
      })
    })

    it('watches', async () => {
      const name = `watched-by-${version.replace(/\W/g, '-')}`
      const watching = spawn(binary.command, ['get', 'configmaps', '-w', '-o', 'name'], { env: environment() })
      let seen = ''
      watching.stdout.on('data', (chunk: Buffer) => {
        seen += chunk.toString()
      })
      try {
        await eventually(() => expect(seen).toContain('kube-root-ca.crt'))
        await run('create', 'configmap', name)
        await eventually(() => expect(seen).toContain(`configmap/${name}`))
      } finally {
        watching.kill()
      }
    })
  })
})
