import { decode, encode, type PacketRecord } from 'dns-packet'
import { expect, it } from 'vitest'
import type { NameSource } from './contract.ts'
import { Responder } from './responder.ts'
import { rcodes } from './wire.ts'

const source: NameSource = {
  isComplete: true,
  version: 0,
  service: (_namespace, name) => (name === 'far' ? { form: 'alias', target: 'far.example.com' } : undefined),
  endpoints: () => ({ all: [], byHostname: new Map() }),
  hasNamespace: () => false,
  hasPod: () => false,
  podsNamed: (_namespace, subdomain) => (subdomain === 'db' ? [['10.0.0.5']] : []),
  nameAt: () => undefined,
}

async function asked(name: string, answers: readonly PacketRecord[]) {
  const responder = new Responder({
    zone: () => ({ domain: 'tenant.local', hostDomain: 'cluster.local' }),
    source,
    forwarder: { ask: async () => ({ rcode: rcodes.noError, isTruncated: false, answers }) },
  })
  const question = encode({ id: 7, type: 'query', flags: 0x100, questions: [{ name, type: 'A' }] })
  const reply = await responder.reply(question, { client: '10.0.0.1' })
  const { rcode, answers: given = [] } = decode(reply ?? Buffer.alloc(0))
  return { rcode, given: given.map(({ data }) => data) }
}

const alias = (name: string, data: string): PacketRecord => ({ name, type: 'CNAME', ttl: 5, data })
const address = (name: string, data: string): PacketRecord => ({ name, type: 'A', ttl: 5, data })

it('a public name is returned with its alias', async () => {
  const answers = [alias('a.example.com', 'b.example.com'), address('b.example.com', '203.0.113.7')]
  expect(await asked('a.example.com', answers)).toEqual({ rcode: 'NOERROR', given: ['b.example.com', '203.0.113.7'] })
})

it.each([
  ['by an alias', 'a.example.com', []],
  ['by an alias in other letters', 'a.example.com', [alias('x.example.com', 'API.Kube-System.svc.CLUSTER.local')]],
  ['by an ExternalName', 'far.shop.svc.tenant.local', []],
])('a foreign name reveals nothing of the host, %s', async (_, name, more) => {
  const target = name.startsWith('far') ? 'far.example.com' : name
  const inside = 'api.kube-system.svc.cluster.local'
  const { rcode, given } = await asked(name, [alias(target, inside), address(inside, '10.96.0.10'), ...more])
  expect(rcode).toBe('NXDOMAIN')
  expect(given.join()).not.toMatch(/cluster\.local|10\.96/i)
})

it('the own name of a Pod is answered to that Pod alone, whichever client asked before', async () => {
  const responder = new Responder({
    zone: () => ({ domain: 'tenant.local', hostDomain: 'cluster.local' }),
    source,
    forwarder: { ask: async () => undefined },
  })
  const questions = [{ name: 'db-0.db.shop.svc.tenant.local', type: 'A' }] as const
  const question = encode({ id: 7, type: 'query', flags: 0x100, questions: [...questions] })
  const codeFor = async (client: string) =>
    decode((await responder.reply(question, { client })) ?? Buffer.alloc(0)).rcode
  expect([await codeFor('10.0.0.6'), await codeFor('10.0.0.5'), await codeFor('10.0.0.6')]).toEqual([
    'NXDOMAIN',
    'NOERROR',
    'NXDOMAIN',
  ])
})
