import { promises as dns } from 'node:dns'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLog } from '../../../src/base/log.ts'
import { systemRandom } from '../../../src/base/random.ts'
import { startDnsServer } from '../../../src/dns/dns-server.ts'
import { NameForwarder } from '../../../src/dns/forwarder.ts'
import { NameIndex } from '../../../src/dns/name-index.ts'
import { Responder } from '../../../src/dns/responder.ts'
import { reachedAddress } from '../../../src/sync/companions/environment/service-variables.ts'
import { eventually } from '../../support/eventually.ts'
import { attackBy } from '../hostile-servers/support/hostile-server.ts'

const slices = {
  group: 'discovery.k8s.io',
  version: 'v1',
  resource: 'endpointslices',
  kind: 'EndpointSlice',
  namespaced: true,
  hasStatus: false,
}
const long = 'x'.repeat(70)
const ports = [{ name: 'http', port: 80, protocol: 'TCP' }]

interface Served {
  readonly services: readonly object[]
  readonly endpointslices: readonly object[]
  readonly pods: readonly object[]
}

let count = 0
const named = (name: string, metadata: object = {}) => ({
  metadata: { namespace: 'shop', name, uid: `uid-${++count}`, resourceVersion: '1', ...metadata },
})
const service = (name: string, spec: unknown, metadata: object = {}) => ({ ...named(name, metadata), spec })
const slice = (of: string, fields: object) => ({
  ...named(`slice-${count}`, { labels: { 'kubernetes.io/service-name': of } }),
  addressType: 'IPv4',
  ports,
  ...fields,
})

const fine: Served = {
  services: [
    service('web', { clusterIP: '10.96.0.70', clusterIPs: ['10.96.0.70'], ports }),
    service('db', { clusterIP: 'None', ports }),
  ],
  endpointslices: [
    slice('db', { endpoints: [{ addresses: ['10.1.0.1'], hostname: 'db-0' }, { addresses: ['10.1.0.2'] }] }),
  ],
  pods: [{ ...named('db-0'), status: { podIPs: [{ ip: '10.1.0.1' }] } }],
}

/** A virtual cluster of any server, with these objects beside ordinary ones. */
async function resolverWith(odd: Partial<Served>): Promise<{ resolver: dns.Resolver; lines: string[] }> {
  const { client } = await attackBy((response, { path }) => {
    const resource = /\/(services|endpointslices|pods)\?/.exec(path)?.[1] as keyof Served | undefined
    response.writeHead(resource === undefined ? 404 : 200, { 'content-type': 'application/json' })
    if (path.includes('watch=')) return response.write('')
    const items = resource === undefined ? [] : [...(odd[resource] ?? []), ...fine[resource]]
    return response.end(JSON.stringify({ kind: 'List', apiVersion: 'v1', metadata: { resourceVersion: '10' }, items }))
  })
  const lines: string[] = []
  const log = createLog({ write: (line) => lines.push(line) })
  const index = new NameIndex({ virtual: client, slices, reachedAddress, apiAddress: () => undefined, log })
  onTestFinished(() => index.stop())
  const forwarder = new NameForwarder({ servers: () => [], random: systemRandom })
  const zone = { domain: 'cluster.local', hostDomain: 'host.example' }
  const responder = new Responder({ zone: () => zone, source: index, forwarder })
  const running = await startDnsServer({ host: '127.0.0.1', port: 0, responder, log })
  onTestFinished(() => running.stop())
  await eventually(() => expect(index.isComplete).toBe(true))
  const resolver = new dns.Resolver({ timeout: 30_000, tries: 1 })
  resolver.setServers([`127.0.0.1:${running.port}`])
  return { resolver, lines }
}

describe('an object that Kubernetes would refuse', () => {
  it.each<[string, Partial<Served>]>([
    ['a Service without a spec', { services: [named('odd')] }],
    ['a Service whose spec is null', { services: [service('odd', null)] }],
    ['a Service whose spec is a text', { services: [service('odd', 'x')] }],
    ['addresses that are one text', { services: [service('odd', { clusterIP: 'x', clusterIPs: 'all' })] }],
    ['addresses that are numbers', { services: [service('odd', { clusterIP: 9, clusterIPs: [9, null, {}] })] }],
    [
      'a noted address that is none',
      {
        services: [service('odd', { ports }, { annotations: { 'tenant.internal/host-cluster-ip': 'x' } })],
      },
    ],
    [
      'ports that are null, texts and no list',
      {
        services: [service('odd', { ports: [null, 'x', { port: 'y' }, { port: 1.5 }, { name: 5, port: 80 }] })],
        endpointslices: [slice('db', { ports: { http: 80 }, endpoints: [] })],
      },
    ],
    ['an external name that is a number', { services: [service('odd', { type: 'ExternalName', externalName: 5 })] }],
    ['a Service with a long name', { services: [service(long, { clusterIP: '10.96.0.9' })] }],
    [
      'a namespace with a long name',
      {
        services: [service('odd', { clusterIP: '10.96.0.9' }, { namespace: long })],
        endpointslices: [{ ...slice('db', { endpoints: [] }), ...named('odd', { namespace: 'a.b' }) }],
      },
    ],
    [
      'a slice of a Service with a long name',
      { endpointslices: [slice(long, { endpoints: [{ addresses: ['10.1.0.9'] }] })] },
    ],
    ['endpoints that are no list', { endpointslices: [slice('db', { endpoints: 'x' })] }],
    ['endpoints that are null', { endpointslices: [slice('db', { endpoints: [null, 5, 'x'] })] }],
    ['endpoints without addresses', { endpointslices: [slice('db', { endpoints: [{ addresses: null }, {}] })] }],
    [
      'addresses that are names',
      { endpointslices: [slice('db', { endpoints: [{ addresses: ['a.b', '10.1', 7, 'fe80::1%a'] }] })] },
    ],
    [
      'conditions that are null',
      { endpointslices: [slice('db', { endpoints: [{ addresses: [], conditions: null }] })] },
    ],
    ['a Pod without a status', { pods: [named('odd')] }],
    [
      'addresses of a Pod that are texts',
      { pods: [{ ...named('odd'), status: { podIPs: ['10.1.0.9', null, { ip: 5 }] } }] },
    ],
    ['addresses of a Pod that are no list', { pods: [{ ...named('odd'), status: { podIPs: '10.1.0.9' } }] }],
  ])('leaves the names of others alone: %s', async (_what, odd) => {
    const { resolver } = await resolverWith(odd)
    expect(await resolver.resolve4('web.shop.svc.cluster.local')).toEqual(['10.96.0.70'])
    expect((await resolver.resolve4('db.shop.svc.cluster.local')).sort()).toEqual(['10.1.0.1', '10.1.0.2'])
    expect(await resolver.resolve4('10-1-0-1.shop.pod.cluster.local')).toEqual(['10.1.0.1'])
    expect(await resolver.reverse('10.96.0.70')).toEqual(['web.shop.svc.cluster.local'])
    expect((await resolver.resolveSrv('_http._tcp.db.shop.svc.cluster.local')).length).toBe(2)
    await expect(resolver.resolve4('odd.shop.svc.cluster.local')).rejects.toThrow(/ENOTFOUND|ENODATA/)
    await expect(resolver.reverse('10.96.0.9')).rejects.toThrow('ENOTFOUND')
  })

  it.each([long, 'a.b', 'ü', 'a b'])('with the host name %s is found by its address', async (hostname) => {
    const endpoints = [{ addresses: ['10.1.0.9'], hostname }]
    const { resolver, lines } = await resolverWith({ endpointslices: [slice('db', { endpoints })] })
    expect((await resolver.resolve4('db.shop.svc.cluster.local')).sort()).toEqual(['10.1.0.1', '10.1.0.2', '10.1.0.9'])
    expect((await resolver.resolveSrv('_http._tcp.db.shop.svc.cluster.local')).map(({ name }) => name)).toContain(
      '10-1-0-9.db.shop.svc.cluster.local',
    )
    expect(lines.filter((line) => line.includes('endpoints[*].hostname'))).toHaveLength(1)
  })

  it('is reported once, with what is odd about it', async () => {
    const odd = service('odd', { ports: [null], clusterIPs: 'x' }, { annotations: {} })
    const { lines } = await resolverWith({ services: [odd, odd, odd] })
    const told = lines.map((line) => JSON.parse(line))
    expect(told).toHaveLength(1)
    expect(told[0]).toMatchObject({
      kind: 'Service',
      namespace: 'shop',
      name: 'odd',
      fields: 'spec.clusterIPs, spec.ports',
    })
  })

  it('with thousands of ports answers with some of them', async () => {
    const many = Array.from({ length: 5_000 }, (_, index) => ({ name: 'p', port: index + 1, protocol: 'TCP' }))
    const { resolver } = await resolverWith({
      services: [
        service('odd', { clusterIP: 'None', ports: many }),
        service('one', { clusterIP: '10.96.0.8', ports: many }),
      ],
      endpointslices: [
        slice('odd', { ports: many, endpoints: [{ addresses: ['10.1.0.9'] }, { addresses: ['10.1.0.8'] }] }),
      ],
    })
    for (const name of ['_p._tcp.odd', 'odd', '_p._tcp.one', 'one']) {
      const found = await resolver.resolveSrv(`${name}.shop.svc.cluster.local`)
      expect(found.length).toBeLessThanOrEqual(500)
    }
    expect(await resolver.resolve4('web.shop.svc.cluster.local')).toEqual(['10.96.0.70'])
  })
})
