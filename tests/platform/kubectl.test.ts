import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { printKubeconfig } from '../../src/cluster/kubeconfig.ts'
import { findKubectls } from '../support/clusters/kubectl.ts'
import { eventually } from '../support/eventually.ts'
import { startProgram } from '../support/programs/program.ts'
import { group, management, startPlatform, type TestPlatform, userNamed } from './platform.ts'

const sample = `
apiVersion: ${group}/v1
kind: OwnedAccessKey
metadata:
  name: ci-key
spec:
  displayName: my-access-key
  ttl: 1728000
  type: User
  user: ann
status: {}
`

describe.each(findKubectls())('$name alone', ({ command }) => {
  let platform: TestPlatform
  let directory: string
  let token = ''

  beforeAll(async () => {
    platform = await startPlatform()
    await platform.must('POST', `${management}/users`, userNamed('ann'))
    directory = await mkdtemp(join(tmpdir(), 'tenant-key-kubectl-'))
    await writeFile(join(directory, 'sample.yaml'), sample)
    await config('admin', 'admin-token')
  })

  afterAll(async () => {
    await platform.stop()
    await rm(directory, { recursive: true, force: true })
  })

  const config = (name: string, value: string) => {
    const { url, authority } = platform.server
    const context = { name, server: url, certificateAuthority: authority, token: value }
    return writeFile(join(directory, name), printKubeconfig([context]), { mode: 0o600 })
  }
  const environmentOf = (who: string) => ({
    PATH: process.env.PATH,
    HOME: directory,
    KUBECONFIG: join(directory, who),
  })
  const run = (who: string, ...words: readonly string[]) =>
    new Promise<{ readonly ok: boolean; readonly out: string; readonly stdout: string }>((resolve) => {
      execFile(command, words, { cwd: directory, env: environmentOf(who) }, (error, stdout, stderr) => {
        resolve({ ok: error === null, out: stdout + stderr, stdout })
      })
    })
  const patch = (spec: object) => run('admin', 'patch', 'oak', 'ci-key', '--type=merge', '-p', JSON.stringify({ spec }))

  it('creates a key from the sample, and uses it', async () => {
    const made = await run('admin', 'create', '-f', 'sample.yaml', '-o', 'jsonpath={.spec.key}')
    expect(made.out).toMatch(/^tpk_/)
    token = made.out.trim()
    await config('ann', token)
    expect((await run('ann', 'get', 'oak')).out).toMatch(/ci-key\s+my-access-key\s+ann\s+Active/)
    expect((await run('ann', 'auth', 'can-i', 'create', 'ownedaccesskeys')).out).toContain('yes')
  })

  it('lists and watches the visible objects of a member, without a refusal', async () => {
    const members = [{ kind: 'User', name: 'ann', role: 'viewer' }]
    for (const name of ['shop', 'bank']) {
      await platform.must('POST', `${management}/projects`, {
        metadata: { name },
        spec: name === 'shop' ? { members } : {},
      })
      const instances = `${management}/namespaces/p-${name}/virtualclusterinstances`
      await eventually(() => platform.must('POST', instances, { metadata: { name: `in-${name}` }, spec: {} }))
    }
    const kinds = 'projects,teams,users,clusters,spaceinstances,virtualclusterinstances'
    const listed = await run('ann', 'get', kinds, '--all-namespaces', '-o', 'name')
    expect(listed.ok).toBe(true)
    expect(listed.stdout.match(/\/\S+/g)).toEqual(['/shop', '/ann', '/in-shop'])
    const watch = ['get', 'projects', '--watch', '--no-headers', '-L', 'seen']
    const watching = startProgram({ program: command, args: watch, environment: environmentOf('ann') })
    onTestFinished(() => watching.stop())
    await watching.until('it lists the project', () => watching.output().includes('shop'), 120_000)
    await run('admin', 'label', 'projects', 'shop', 'seen=by-ann')
    await watching.until('it shows the change', () => watching.output().includes('by-ann'), 120_000)
    expect(watching.output()).not.toMatch(/bank|default|[Ff]orbidden/)
    expect((await run('ann', 'auth', 'can-i', 'list', 'projects')).out).toContain('yes')
    const refused = await run('ann', 'delete', 'virtualclusterinstances', 'in-shop', '-n', 'p-shop')
    expect(refused.out).toContain('the role viewer does not include this')
  })

  it('applies and edits it without losing its value', async () => {
    expect((await run('admin', 'apply', '-f', 'sample.yaml')).ok).toBe(true)
    expect((await run('admin', 'annotate', 'oak', 'ci-key', 'a=b')).ok).toBe(true)
    expect((await run('admin', 'apply', '--server-side', '--force-conflicts', '-f', 'sample.yaml')).ok).toBe(true)
    expect((await run('ann', 'get', 'oak', 'ci-key')).ok).toBe(true)
  })

  it('disables it, sees the refusal, and enables it', async () => {
    await patch({ disabled: true })
    const refused = await run('ann', 'get', 'oak')
    expect(refused.ok).toBe(false)
    expect(refused.out).toMatch(/disabled|Unauthorized|logged in/)
    await patch({ disabled: false })
    expect((await run('ann', 'get', 'oak')).ok).toBe(true)
  })

  it('shortens its life, and sees it expire', async () => {
    await patch({ ttl: 60 })
    platform.clock.advance(61_000)
    const refused = await run('ann', 'get', 'oak')
    expect(refused.ok).toBe(false)
    await eventually(async () => expect((await run('admin', 'get', 'oak', 'ci-key')).out).toContain('Expired'))
  })

  it('deletes it, which a finalizer delays', async () => {
    const finalizers = (list: readonly string[] | null) =>
      run('admin', 'patch', 'oak', 'ci-key', '--type=merge', '-p', JSON.stringify({ metadata: { finalizers: list } }))
    await finalizers(['example.com/hold'])
    await run('admin', 'delete', 'oak', 'ci-key', '--wait=false')
    expect((await run('admin', 'get', 'oak', 'ci-key')).out).toContain('Deleting')
    await finalizers(null)
    expect((await run('admin', 'get', 'oak', 'ci-key')).out).toContain('NotFound')
  })
})
