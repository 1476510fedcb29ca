import { X509Certificate } from 'node:crypto'
import { connect } from 'node:tls'
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyName } from '../chaos/names.ts'
import { freePort } from '../support/network/free-port.ts'
import { type Access, ClusterClient } from './support/cluster-client.ts'
import { type Cluster, startCluster } from './support/clusters.ts'
import { configMaps, endpoints, pods, secrets, services, type Thing } from './support/objects.ts'
import { soon } from './support/soon.ts'
import { createSyncer, type Syncer } from './support/syncer.ts'
import { accessIn } from './support/tenant-on-host.ts'

const place = { tenant: 'tokens', hostNamespace: 'tokens-host' }
const containers = [{ name: 'main', image: 'app:1' }]
const hour = 3_600_000

interface IssuerSettings {
  readonly issuer: string
  readonly id_token_signing_alg_values_supported: string[]
}

describe('Pods on a host and their tokens', () => {
  let host: Cluster
  let tenant: Syncer
  let virtual: ClusterClient
  let port: number

  beforeAll(async () => {
    host = await startCluster('embedded')
    port = await freePort()
    const networking = { apiAddress: `10.9.9.9:${port}`, dnsAddress: '10.9.9.9' }
    const config = JSON.stringify({ sync: { toHost: { pods: { enabled: true } } }, networking })
    tenant = createSyncer({ ...place, host: host.server, config, flags: ['--port', String(port)] })
    await tenant.start()
    virtual = new ClusterClient(accessIn(tenant.kubeconfig))
  })

  afterAll(async () => {
    await virtual?.close()
    await tenant?.remove()
    await host?.remove()
  })

  it('have a token for their own account and their own cluster', async () => {
    await virtual.create(pods, { metadata: { namespace: 'default', name: 'web' }, spec: { containers } })
    const secret = await tokensOf('web')
    expect(await reviewed(tokenIn(secret))).toMatchObject({
      status: 201,
      body: { status: { userInfo: { username: 'system:serviceaccount:default:default' } } },
    })
    expect(await nameAt(host.server, tokenIn(secret))).toBe(401)
    const authority = await virtual.get(configMaps, 'default', 'kube-root-ca.crt')
    expect(decoded(secret, 'ca.crt')).toBe((authority.data as Record<string, string>)['ca.crt'])
  })

  it('can be verified with the keys that the virtual cluster publishes', async () => {
    const token = tokenIn(await tokensOf('web'))
    const { body: keys } = await virtual.request('GET', '/openid/v1/jwks')
    const { body: settings } = await virtual.request('GET', '/.well-known/openid-configuration')
    const { issuer, id_token_signing_alg_values_supported: algorithms } = settings as unknown as IssuerSettings
    const checked = await jwtVerify(token, createLocalJWKSet(keys as unknown as JSONWebKeySet), { issuer, algorithms })
    expect(checked.payload).toMatchObject({
      sub: 'system:serviceaccount:default:default',
      'kubernetes.io': { pod: { name: 'web', uid: (await virtual.get(pods, 'default', 'web')).metadata.uid } },
    })
  })

  it('are for the address that the Endpoints of the API name', async () => {
    const listed = async () => (await virtual.get(endpoints, 'default', 'kubernetes')).subsets
    await soon(async () =>
      expect(await listed()).toEqual([
        { addresses: [{ ip: '10.9.9.9' }], ports: [{ name: 'https', port, protocol: 'TCP' }] },
      ]),
    )
  })

  it('belong to the Pod of the host, which uses them and no token of the host', async () => {
    const copy = await copyOf('web')
    const secret = await tokensOf('web')
    expect(secret.metadata).toMatchObject({ ownerReferences: [{ kind: 'Pod', uid: copy.metadata.uid }] })
    expect(copy.spec).toMatchObject({
      automountServiceAccountToken: false,
      dnsConfig: { nameservers: ['10.9.9.9'] },
      volumes: [{ projected: { sources: [{ secret: { name: secret.metadata.name } }, {}, {}] } }],
    })
    expect(JSON.stringify(copy)).not.toContain('serviceAccountToken"')
  })

  it('reach a server with a certificate for their configured address', async () => {
    await soon(async () => expect((await certificateAt(port)).checkIP('10.9.9.9')).toBe('10.9.9.9'))
  })

  it('find their API and the Services of their namespace in variables', async () => {
    await virtual.create(services, {
      metadata: { namespace: 'default', name: 'db' },
      spec: { ports: [{ port: 5432 }] },
    })
    await soon(async () => {
      const { spec } = await virtual.get(services, 'default', 'db')
      const address = (spec as { clusterIP: string }).clusterIP
      expect(address).toMatch(/^\d/)
      expect(await variablesOf('web')).toMatchObject({
        KUBERNETES_SERVICE_HOST: '10.9.9.9',
        KUBERNETES_SERVICE_PORT: String(port),
        DB_SERVICE_HOST: address,
        DB_SERVICE_PORT: '5432',
      })
    })
  })

  it('are restored when another client of the host deletes them', async () => {
    const before = await tokensOf('web')
    await host.client.delete(secrets, place.hostNamespace, before.metadata.name ?? '')
    await soon(async () => {
      const after = await tokensOf('web')
      expect(after.metadata.uid).not.toBe(before.metadata.uid)
      expect(after.metadata).toMatchObject({ ownerReferences: [{ kind: 'Pod' }] })
    })
  })

  it('are refreshed after an outage of the tenant', async () => {
    const before = tokenIn(await tokensOf('web'))
    await tenant.kill()
    tenant.setClock(0.9 * hour)
    await tenant.start()
    await soon(async () => expect(tokenIn(await tokensOf('web'))).not.toBe(before))
    expect((await reviewed(tokenIn(await tokensOf('web')))).status).toBe(201)
  })

  it('are requested with a limit', async () => {
    const sources = Array.from({ length: 17 }, (_, index) => ({
      serviceAccountToken: { path: `t${index}`, audience: `a${index}` },
    }))
    const volumes = [{ name: 'many', projected: { sources } }]
    const spec = { containers, volumes, automountServiceAccountToken: false }
    await virtual.create(pods, { metadata: { namespace: 'default', name: 'greedy' }, spec })
    await soon(async () => {
      const events = await virtual.list({ apiVersion: 'v1', kind: 'Event', plural: 'events' }, 'default')
      expect(events.map(({ reason }) => reason)).toContain('TooManyTokens')
    })
    const names = (await host.client.list(pods, place.hostNamespace)).map(({ metadata }) => metadata.name)
    expect(names).toEqual([copyName(place, 'default', 'web')])
  })

  it('are not left on a host that refuses their Pod', async () => {
    const level = (enforce: string | null) =>
      host.client.request(
        'PATCH',
        `/api/v1/namespaces/${place.hostNamespace}`,
        { metadata: { labels: { 'pod-security.kubernetes.io/enforce': enforce } } },
        'application/merge-patch+json',
      )
    expect((await level('restricted')).status).toBe(200)
    await virtual.create(pods, { metadata: { namespace: 'default', name: 'refused' }, spec: { containers } })
    const conditions = [{ type: 'PodScheduled', reason: 'RefusedByHost' }]
    await soon(async () => expect((await virtual.get(pods, 'default', 'refused')).status).toMatchObject({ conditions }))
    await soon(async () => expect(await tokenSecrets()).toHaveLength(1))
    await virtual.delete(pods, 'default', 'refused')
    await level(null)
  })

  it('are deleted with their Pod', async () => {
    const token = tokenIn(await tokensOf('web'))
    await virtual.delete(pods, 'default', 'web')
    await soon(async () => {
      expect(await virtual.find(pods, 'default', 'web')).toBeUndefined()
      expect((await reviewed(token)).status).toBe(401)
      expect(await tokenSecrets()).toEqual([])
    })
  })

  it('leave no objects when Pods are no longer synced', async () => {
    expect(await variables()).not.toEqual([])
    tenant.configure(JSON.stringify({ sync: { toHost: { pods: { enabled: false } } } }))
    await soon(async () => expect(await variables()).toEqual([]))
  })

  async function variables(): Promise<readonly Thing[]> {
    const all = await host.client.list(configMaps, place.hostNamespace)
    return all.filter(({ metadata }) => metadata.labels?.['tenant.internal/companion'] === 'environment')
  }

  function copyOf(name: string): Promise<Thing> {
    return host.client.get(pods, place.hostNamespace, copyName(place, 'default', name))
  }

  async function tokenSecrets(): Promise<readonly Thing[]> {
    const all = await host.client.list(secrets, place.hostNamespace)
    return all.filter(({ metadata }) => metadata.labels?.['tenant.internal/companion'] === 'tokens')
  }

  async function tokensOf(name: string): Promise<Thing> {
    let found: Thing | undefined
    await soon(async () => {
      const copy = await copyOf(name)
      const [secret] = await tokenSecrets()
      expect(secret?.metadata).toMatchObject({ ownerReferences: [{ uid: copy.metadata.uid }] })
      found = secret
    })
    if (found === undefined) throw new Error('There is no Secret, although it was seen.')
    return found
  }

  async function variablesOf(name: string): Promise<Record<string, string>> {
    const { spec } = await copyOf(name)
    const { containers } = spec as { containers: { envFrom: { configMapRef: { name: string } }[] }[] }
    const maps = (containers[0]?.envFrom ?? []).map(({ configMapRef }) => configMapRef.name)
    const found = await Promise.all(maps.map((map) => host.client.get(configMaps, place.hostNamespace, map)))
    return Object.assign({}, ...found.map(({ data }) => data))
  }

  /** The virtual cluster's review of a token. */
  async function reviewed(token: string) {
    const { url, authority } = accessIn(tenant.kubeconfig)
    const caller = new ClusterClient({ url, authority, token })
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview', metadata: {} }
    try {
      return await caller.request('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', body)
    } finally {
      await caller.close()
    }
  }
})

function certificateAt(port: number): Promise<X509Certificate> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(new X509Certificate(socket.getPeerCertificate().raw))
      socket.destroy()
    })
    socket.on('error', reject)
  })
}

async function nameAt(access: Access, token: string): Promise<number> {
  const caller = new ClusterClient({ ...access, token })
  const { status } = await caller.request('GET', '/api/v1/namespaces/default/pods')
  await caller.close()
  return status
}

function tokenIn(secret: Thing): string {
  const key = Object.keys(secret.data as object).find((name) => name.startsWith('token-'))
  return decoded(secret, key ?? '')
}

function decoded({ data }: Thing, key: string): string {
  return Buffer.from((data as Record<string, string>)[key] ?? '', 'base64').toString()
}
