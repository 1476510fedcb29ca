import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientOf } from '../platform/platform.ts'
import { tenantIn } from '../support/programs/command.ts'
import { type TenantProcess, tenant as tenantProcess } from './tenant-process.ts'

const home = mkdtempSync(join(tmpdir(), 'tenant-up-limits-'))
const data = join(home, '.tenant/data')
const limits = ['--max-objects-per-virtual-cluster', '240', '--max-storage-per-virtual-cluster', '1']
let up: TenantProcess

beforeAll(async () => {
  up = tenantProcess('up', '--port', '0', '--data-dir', data, '--max-keys-per-owner', '3', ...limits)
  await up.line('ready')
}, 240_000)
afterAll(async () => {
  up?.child.kill('SIGKILL')
  await up?.finished
  rmSync(home, { recursive: true, force: true })
})

function clientFor(context: string): ReturnType<typeof clientOf> {
  const file = join(data, 'kubeconfig')
  const { contexts, clusters, users } = JSON.parse(readFileSync(file, 'utf8'))
  const named = <T extends { readonly name: string }>(list: readonly T[], name: string): T => {
    const found = list.find((each) => each.name === name)
    if (found === undefined) throw new Error(`${file} has no ${name}`)
    return found
  }
  const { cluster, user } = named<Context>(contexts, context).context
  const { server, 'certificate-authority-data': authority } = named<Cluster>(clusters, cluster).cluster
  const { token } = named<User>(users, user).user
  return clientOf(server, Buffer.from(authority, 'base64').toString(), token)
}

interface Context {
  readonly name: string
  readonly context: { readonly cluster: string; readonly user: string }
}
interface Cluster {
  readonly name: string
  readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string }
}
interface User {
  readonly name: string
  readonly user: { readonly token: string }
}

describe('the limits of tenant up', () => {
  it('limit its virtual clusters, but not the host', async () => {
    const path = '/api/v1/namespaces/default/configmaps'
    const make = async (client: ReturnType<typeof clientOf>, index: number) => {
      for (;;) {
        const answer = await client.ask('POST', path, { body: { metadata: { name: `c-${index}` } } })
        // On a slow machine one of many at once may wait too long; clients of Kubernetes ask again.
        if (answer.status !== 429) return answer
      }
    }
    const [virtual, host] = [clientFor('tenant_demo'), clientFor('host')]
    const answers = await Promise.all(Array.from({ length: 80 }, (_, index) => make(virtual, index)))
    expect(answers.find(({ status }) => status === 403)?.body.message).toMatch(
      /exceeded quota: objects of this cluster, requested: 1, used: 24\d, limited: 240; .* --max-objects-per-virtual-cluster/,
    )
    const onHost = await Promise.all(Array.from({ length: 80 }, (_, index) => make(host, index)))
    expect(onHost.every(({ status }) => status === 201)).toBe(true)
    await Promise.all([virtual.close(), host.close()])
  })

  it('are shown by commands as the platform reports them', async () => {
    const { platform } = JSON.parse(readFileSync(join(data, 'up.json'), 'utf8'))
    const admin = clientOf(
      platform.url,
      readFileSync(platform.caFile, 'utf8'),
      readFileSync(platform.adminKeyFile, 'utf8').trim(),
    )
    const management = `/apis/management.${platform.domain}/v1`
    await admin.ask('POST', `${management}/users`, { body: { metadata: { name: 'ada' }, spec: {} } })
    const made = await admin.ask('POST', `${management}/ownedaccesskeys`, {
      body: { metadata: { name: 'ada-0' }, spec: { user: 'ada' } },
    })
    const tenant = tenantIn(home)
    await tenant(['platform', 'login', platform.url, '--ca', platform.caFile, '--access-key-stdin'], made.body.spec.key)
    for (const name of ['one', 'two']) await tenant(['platform', 'keys', 'create', name, '--quiet'])
    await expect(tenant(['platform', 'keys', 'create', 'three'])).rejects.toThrow(
      'exceeded quota: access keys of user ada, requested: 1, used: 3, limited: 3; delete access keys that are no longer needed, or ask an administrator of the platform to raise --max-keys-per-owner',
    )
    await admin.close()
  })
})
