import { describe, expect, it } from 'vitest'
import { addressKey, reversedAddress, undashed } from './address.ts'
import { answerFor, nameAnswer } from './answer.ts'
import type { DnsAnswer, EndpointTable, NamedEndpoint, NamedService, NameSource } from './contract.ts'

const zone = { domain: 'cluster.local', hostDomain: 'host.example' }
const http = { name: 'http', port: 80, protocol: 'TCP' }
const services: Readonly<Record<string, NamedService>> = {
  'shop/web': { form: 'address', addresses: ['10.0.0.7', 'fd00::7'], ports: [http] },
  'shop/db': { form: 'headless', ports: [http] },
  'shop/empty': { form: 'headless', ports: [] },
  'shop/far': { form: 'alias', target: 'example.com' },
}
const endpoints: readonly NamedEndpoint[] = [
  { hostname: 'db-0', address: '10.1.0.1', ports: [http] },
  { hostname: '10-1-0-2', address: '10.1.0.2', ports: [http] },
]
const none: EndpointTable = { all: [], byHostname: new Map() }

const source: NameSource = {
  isComplete: true,
  version: 0,
  service: (namespace, name) => services[`${namespace}/${name}`],
  endpoints: (_namespace, name) =>
    name === 'db' ? { all: endpoints, byHostname: new Map(endpoints.map((each) => [each.hostname, [each]])) } : none,
  hasNamespace: (namespace) => namespace === 'shop',
  hasPod: (namespace, address) => namespace === 'shop' && address === addressKey('10.1.0.1'),
  podsNamed: (namespace, subdomain, hostname) =>
    `${hostname}.${subdomain}.${namespace}` === 'db-1.db.shop' || subdomain === 'later'
      ? [['10.1.0.3', 'fd00::3']]
      : [],
  nameAt: (address) => (address === addressKey('10.0.0.7') ? 'web.shop.svc' : undefined),
}

const ask = (name: string, type: string, client = '10.1.0.9') =>
  answerFor(client, { name, type }, nameAnswer({ name, type }, zone, source))

function brief(answer: DnsAnswer): unknown {
  if (answer.outcome !== 'records') return answer.outcome
  return answer.records.map(({ data }) =>
    typeof data === 'object' && 'target' in data ? `${data.target}:${data.port}` : data,
  )
}

describe('the answer of a virtual cluster to a question', () => {
  it.each<[string, string, unknown]>([
    ['web.shop.svc.cluster.local', 'A', ['10.0.0.7']],
    ['WEB.Shop.svc.Cluster.LOCAL', 'A', ['10.0.0.7']],
    ['web.shop.svc.cluster.local', 'AAAA', ['fd00::7']],
    ['web.shop.svc.cluster.local', 'MX', 'no data'],
    ['web.shop.svc.cluster.local', 'SRV', ['web.shop.svc.cluster.local:80']],
    ['_http._tcp.web.shop.svc.cluster.local', 'SRV', ['web.shop.svc.cluster.local:80']],
    ['_http._tcp.web.shop.svc.cluster.local', 'A', 'no data'],
    ['_http._udp.web.shop.svc.cluster.local', 'SRV', 'no name'],
    ['http._tcp.web.shop.svc.cluster.local', 'SRV', 'no name'],
    ['_tcp.web.shop.svc.cluster.local', 'SRV', 'no data'],
    ['a._http._tcp.web.shop.svc.cluster.local', 'SRV', 'no name'],
    ['x.web.shop.svc.cluster.local', 'A', 'no name'],
    ['db.shop.svc.cluster.local', 'A', ['10.1.0.1', '10.1.0.2']],
    ['db.shop.svc.cluster.local', 'AAAA', 'no data'],
    ['db-0.db.shop.svc.cluster.local', 'A', ['10.1.0.1']],
    ['10-1-0-2.db.shop.svc.cluster.local', 'A', ['10.1.0.2']],
    ['db-1.db.shop.svc.cluster.local', 'A', 'no name'],
    [
      '_http._tcp.db.shop.svc.cluster.local',
      'SRV',
      ['db-0.db.shop.svc.cluster.local:80', '10-1-0-2.db.shop.svc.cluster.local:80'],
    ],
    ['empty.shop.svc.cluster.local', 'A', 'no data'],
    ['far.shop.svc.cluster.local', 'A', 'alias'],
    ['far.shop.svc.cluster.local', 'CNAME', ['example.com']],
    ['far.shop.svc.cluster.local', 'TXT', 'no data'],
    ['gone.shop.svc.cluster.local', 'A', 'no name'],
    ['web.other.svc.cluster.local', 'A', 'no name'],
    ['shop.svc.cluster.local', 'A', 'no data'],
    ['other.svc.cluster.local', 'A', 'no name'],
    ['svc.cluster.local', 'A', 'no data'],
    ['cluster.local', 'A', 'no data'],
    ['cluster.local', 'NS', ['ns.dns.cluster.local']],
    ['web.cluster.local', 'A', 'no name'],
    ['dns-version.cluster.local', 'TXT', ['1.1.0']],
    ['10-1-0-1.shop.pod.cluster.local', 'A', ['10.1.0.1']],
    ['10-1-0-1.other.pod.cluster.local', 'A', 'no name'],
    ['10-1-0-9.shop.pod.cluster.local', 'A', 'no name'],
    ['web.shop.pod.cluster.local', 'A', 'no name'],
    ['7.0.0.10.in-addr.arpa', 'PTR', ['web.shop.svc.cluster.local']],
    ['7.0.0.10.in-addr.arpa', 'A', 'no data'],
    ['8.0.0.10.in-addr.arpa', 'PTR', 'no name'],
    ['254.169.254.169.in-addr.arpa', 'PTR', 'no name'],
    ['300.0.0.10.in-addr.arpa', 'PTR', 'no name'],
    ['8.8.8.8.in-addr.arpa', 'PTR', 'elsewhere'],
    ['web.shop.svc.host.example', 'A', 'no name'],
    ['example.com', 'A', 'elsewhere'],
    ['notcluster.local', 'A', 'elsewhere'],
    ['.', 'NS', 'elsewhere'],
    ['__proto__.constructor.svc.cluster.local', 'A', 'no name'],
  ])('%s %s: %j', (name, type, expected) => {
    expect(brief(ask(name, type))).toEqual(expected)
  })

  it('repeats the name as asked, and adds the addresses of targets', () => {
    const answer = ask('_http._TCP.Db.shop.svc.cluster.local', 'SRV')
    expect(answer).toMatchObject({
      records: [{ name: '_http._TCP.Db.shop.svc.cluster.local', type: 'SRV' }, {}],
      more: [{ name: 'db-0.db.shop.svc.cluster.local', type: 'A', data: '10.1.0.1' }, {}],
    })
  })
})

describe('addresses in names', () => {
  it.each<[string, string | undefined]>([
    ['10-0-0-7', '10.0.0.7'],
    ['256-0-0-7', undefined],
    ['10-0-0', undefined],
    ['fd00--7', 'fd00::7'],
    ['web', undefined],
    ['-', undefined],
  ])('%s is %s', (label, address) => {
    expect(undashed(label)).toBe(address)
  })

  it('are read in both families', () => {
    const nibbles = `7${'.0'.repeat(28)}.0.d.f.ip6.arpa`.replace('.0.0.d.f', '.0.0.d.f')
    expect(reversedAddress(nibbles)).toEqual({ family: 'IPv6', groups: [0xfd00, 0, 0, 0, 0, 0, 0, 7] })
    expect(reversedAddress('7.0.0.10.in-addr.arpa')).toEqual({ family: 'IPv4', groups: [0x0a00, 7] })
    expect(reversedAddress('0.10.in-addr.arpa')).toBeUndefined()
  })
})

it.each<[string, string, string, unknown]>([
  ['itself before it is ready', 'db-1.db.shop.svc.cluster.local', '10.1.0.3', ['10.1.0.3']],
  ['itself over IPv6', 'db-1.db.shop.svc.cluster.local', 'fd00:0::3', ['10.1.0.3']],
  ['itself without a Service of that name', 'db-1.later.shop.svc.cluster.local', '10.1.0.3', ['10.1.0.3']],
  ['no other Pod that is not ready', 'db-1.db.shop.svc.cluster.local', '10.1.0.1', 'no name'],
  ['no name below its own', 'x.db-1.db.shop.svc.cluster.local', '10.1.0.3', 'no name'],
])('a Pod finds %s', (_, name, client, expected) => {
  expect(brief(ask(name, 'A', client))).toEqual(expected)
})
