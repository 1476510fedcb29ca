import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ExternalConfig } from '../../src/api/tenant-config/types.ts'
import { secretType } from '../../src/client/builtin-types.ts'
import type { KubeClient } from '../../src/client/contract.ts'
import type { KeyLookup } from '../../src/tenant/platform-key/contract.ts'
import { KeyWatch } from '../../src/tenant/platform-key/key-watch.ts'
import { keyPlaces } from '../../src/tenant/platform-key/places.ts'
import { clientOf } from '../create/workplace.ts'
import { startTestServer, type TestServer } from '../support/clusters/api-server.ts'
import { eventually } from '../support/eventually.ts'

const name = 'tenant-platform-api-key'
let server: TestServer
let admin: KubeClient
/** A client with no rights except those that tests grant. */
let tenant: KubeClient
const watches: KeyWatch[] = []

beforeAll(async () => {
  server = await startTestServer()
  const kubeconfig = (user: 'admin' | 'alice') => {
    const file = join(server.directory, `${user}.kubeconfig`)
    writeFileSync(file, server.kubeconfig(user))
    return file
  }
  admin = await clientOf(kubeconfig('admin'))
  tenant = await clientOf(kubeconfig('alice'))
})
afterEach(async () => {
  for (const watch of watches.splice(0)) await watch.stop()
})
afterAll(async () => {
  await admin.close()
  await tenant.close()
  await server.stop()
})

async function create(apiVersion: string, kind: string, fields: object): Promise<void> {
  const type = await admin.served.findKind(apiVersion, kind)
  if (type === undefined) throw new Error(kind)
  await admin.create(type, { apiVersion, kind, metadata: {}, ...fields })
}

const makeNamespace = (namespace: string) => create('v1', 'Namespace', { metadata: { name: namespace } })

/** The Role that createRBAC creates. */
async function allow(namespace: string): Promise<void> {
  const rbac = 'rbac.authorization.k8s.io'
  const metadata = { namespace, name: 'key' }
  const rules = [{ apiGroups: [''], resources: ['secrets'], resourceNames: [name], verbs: ['get', 'list', 'watch'] }]
  await create(`${rbac}/v1`, 'Role', { metadata, rules })
  await create(`${rbac}/v1`, 'RoleBinding', {
    metadata,
    roleRef: { apiGroup: rbac, kind: 'Role', name: 'key' },
    subjects: [{ apiGroup: rbac, kind: 'User', name: 'alice' }],
  })
}

function secret(namespace: string, accessKey: string) {
  const data = {
    accessKey: Buffer.from(accessKey).toString('base64'),
    host: Buffer.from('p.example').toString('base64'),
  }
  return { apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name }, data }
}

function watch(external: ExternalConfig, namespace: string, license?: string) {
  const lookups: KeyLookup[] = []
  const places = keyPlaces(external, namespace)
  const started = new KeyWatch(
    { host: tenant, license, onLookup: (lookup) => lookups.push(lookup), onTrouble: () => {}, retryMs: 100 },
    places,
  )
  watches.push(started)
  return { lookups, started }
}

const keyOf = (lookup: KeyLookup | undefined) => (lookup?.state === 'found' ? lookup.key.accessKey : lookup?.state)

describe('the watch of the key', () => {
  it('reports at once when a key appears, is rotated, or is deleted', async () => {
    await makeNamespace('one')
    await allow('one')
    const { lookups } = watch({ platform: {} }, 'one')
    await eventually(() => expect(lookups.map(keyOf)).toEqual(['absent']))
    await admin.create(secretType, secret('one', 'first'))
    await eventually(() => expect(lookups.map(keyOf)).toEqual(['absent', 'first']))
    await admin.update(secretType, secret('one', 'second'))
    await eventually(() => expect(lookups.map(keyOf)).toEqual(['absent', 'first', 'second']))
    await admin.delete(secretType, { namespace: 'one', name })
    await eventually(() => expect(lookups.map(keyOf)).toEqual(['absent', 'first', 'second', 'absent']))
  })

  it('reports nothing when the Secret changes but the key does not', async () => {
    await makeNamespace('quiet')
    await allow('quiet')
    await admin.create(secretType, secret('quiet', 'same'))
    const { lookups } = watch({ platform: {} }, 'quiet')
    await eventually(() => expect(lookups.map(keyOf)).toEqual(['same']))
    const touched = secret('quiet', 'same')
    await admin.update(secretType, { ...touched, metadata: { ...touched.metadata, labels: { a: 'b' } } })
    await admin.update(secretType, secret('quiet', 'other'))
    await eventually(() => expect(lookups.map(keyOf)).toEqual(['same', 'other']))
  })

  it('names the missing right, and continues once it is granted', async () => {
    await makeNamespace('shared')
    await makeNamespace('closed')
    await admin.create(secretType, secret('shared', 'shared-key'))
    const apiKey = { secretName: name, namespace: 'shared', createRBAC: false }
    const { lookups } = watch({ platform: { apiKey } }, 'closed')
    await eventually(() =>
      expect(lookups).toMatchObject([{ state: 'forbidden', message: expect.stringContaining('of namespace shared') }]),
    )
    await allow('shared')
    await eventually(() => expect(lookups.map(keyOf)).toEqual(['forbidden', 'shared-key']))
  })

  it('follows a changed Secret name in the configuration', async () => {
    await makeNamespace('moved')
    await makeNamespace('target')
    for (const namespace of ['moved', 'target']) {
      await allow(namespace)
      await admin.create(secretType, secret(namespace, `key-of-${namespace}`))
    }
    const { lookups, started } = watch({}, 'moved')
    await eventually(() => expect(lookups.map(keyOf)).toEqual(['key-of-moved']))
    const apiKey = { secretName: name, namespace: 'target', createRBAC: true }
    started.lookAt(keyPlaces({ platform: { apiKey } }, 'moved'))
    await eventually(() => expect(lookups.map(keyOf)).toEqual(['key-of-moved', 'key-of-target']))
  })

  it('calls no server while the environment contains a key', async () => {
    const license = JSON.stringify({ host: 'p.example', accessKey: 'from-environment' })
    const { lookups } = watch({ platform: {} }, 'no-such-namespace', license)
    await eventually(() => expect(lookups.map(keyOf)).toEqual(['from-environment']))
  })
})
