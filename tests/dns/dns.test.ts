import { createSocket } from 'node:dgram'
import { promises as dns } from 'node:dns'
import { connect } from 'node:net'
import { decode, encode } from 'dns-packet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../src/base/log.ts'
import { systemRandom } from '../../src/base/random.ts'
import type { KubeClient, ResourceType } from '../../src/client/contract.ts'
import type { DnsQuestion } from '../../src/dns/contract.ts'
import { type RunningDns, startDnsServer } from '../../src/dns/dns-server.ts'
import { NameForwarder } from '../../src/dns/forwarder.ts'
import { NameIndex } from '../../src/dns/name-index.ts'
import { Responder } from '../../src/dns/responder.ts'
import { withLength } from '../../src/dns/tcp-messages.ts'
import { reachedAddress } from '../../src/sync/companions/environment/service-variables.ts'
import { clientByKubeconfig, pods, services } from '../client/client-of.ts'
import { startTestServer, type TestServer } from '../support/clusters/api-server.ts'
import { eventually } from '../support/eventually.ts'

const slices: ResourceType = {
  group: 'discovery.k8s.io',
  version: 'v1',
  resource: 'endpointslices',
  kind: 'EndpointSlice',
  namespaced: true,
  hasStatus: false,
}
const host = '127.0.0.1'
const zone = { domain: 'cluster.local', hostDomain: 'host.example' }

describe('names of a virtual cluster', () => {
  let server: TestServer
  let client: KubeClient
  let index: NameIndex
  let running: RunningDns
  /** Stands for the resolver of the host. */
  let outside: RunningDns
  const asked: DnsQuestion[] = []

  beforeAll(async () => {
    server = await startTestServer()
    client = await clientByKubeconfig(server.kubeconfig())
    await fill(client)
    outside = await startDnsServer({ host, port: 0, responder: { reply: answerOutside }, log: silentLog })
    index = new NameIndex({ virtual: client, slices, reachedAddress, apiAddress: () => '10.9.9.9', log: silentLog })
    const forwarder = new NameForwarder({ servers: () => [`${host}:${outside.port}`], random: systemRandom })
    const responder = new Responder({ zone: () => zone, source: index, forwarder })
    running = await startDnsServer({ host, port: 0, responder, log: silentLog, mostPerSecond: 100_000 })
    await eventually(() => expect(index.isComplete).toBe(true))
  })

  afterAll(async () => {
    await running?.stop()
    await outside?.stop()
    index?.stop()
    await client?.close()
    await server?.stop()
  })

  it('are resolved by a common resolver', async () => {
    const resolver = resolverAt(running.port)
    expect(await resolver.resolve4('web.default.svc.cluster.local')).toEqual(['10.96.0.70'])
    expect((await resolver.resolve4('db.default.svc.cluster.local')).sort()).toEqual(['10.1.0.1', '10.1.0.2'])
    expect(await resolver.resolve4('db-0.db.default.svc.cluster.local')).toEqual(['10.1.0.1'])
    expect(await resolver.resolveSrv('_http._tcp.web.default.svc.cluster.local')).toMatchObject([
      { name: 'web.default.svc.cluster.local', port: 80 },
    ])
    expect(await resolver.resolve4('10-1-0-1.default.pod.cluster.local')).toEqual(['10.1.0.1'])
    expect(await resolver.resolve4('kubernetes.default.svc.cluster.local')).toEqual(['10.9.9.9'])
    expect(await resolver.reverse('10.96.0.70')).toEqual(['web.default.svc.cluster.local'])
    expect(await resolver.reverse('10.1.0.1')).toEqual(['db-0.db.default.svc.cluster.local'])
  })

  it.each<[string, (resolver: dns.Resolver) => Promise<unknown>, string]>([
    ['of a missing Service', (resolver) => resolver.resolve4('gone.default.svc.cluster.local'), 'ENOTFOUND'],
    ['of another family', (resolver) => resolver.resolve6('web.default.svc.cluster.local'), 'ENODATA'],
    ['of an endpoint that is not ready', (resolver) => resolver.reverse('10.1.0.3'), 'ENOTFOUND'],
    ['of Services of the host', (resolver) => resolver.resolve4('a.b.svc.host.example'), 'ENOTFOUND'],
    ['of strangers in the same network', (resolver) => resolver.reverse('10.2.3.4'), 'ENOTFOUND'],
  ])('exclude those %s', async (_what, look, code) => {
    await expect(look(resolverAt(running.port))).rejects.toMatchObject({ code })
    expect(asked.filter(({ name }) => /cluster\.local|host\.example|arpa/.test(name))).toEqual([])
  })

  it('follow changes in the virtual cluster', async () => {
    const resolver = resolverAt(running.port)
    await expect(resolver.resolve4('new.default.svc.cluster.local')).rejects.toThrow('ENOTFOUND')
    await client.create(services, service('new', { clusterIP: '10.96.0.71', ports: [{ port: 80 }] }))
    await eventually(async () =>
      expect(await resolver.resolve4('new.default.svc.cluster.local')).toEqual(['10.96.0.71']),
    )
    await client.delete(services, { namespace: 'default', name: 'new' })
    await eventually(() => expect(resolver.resolve4('new.default.svc.cluster.local')).rejects.toThrow('ENOTFOUND'))
  })

  it('elsewhere are forwarded to the resolver of the host, and aliases are followed', async () => {
    const resolver = resolverAt(running.port)
    expect(await resolver.resolve4('example.com')).toEqual(['203.0.113.5'])
    expect(await resolver.resolve4('far.default.svc.cluster.local')).toEqual(['203.0.113.5'])
    await expect(resolver.resolve4('missing.example.com')).rejects.toThrow('ENOTFOUND')
    await expect(resolver.resolve4('broken.example.com')).rejects.toThrow('ESERVFAIL')
  })

  it('with more than one datagram of records are returned over TCP', async () => {
    const addresses = await resolverAt(running.port).resolve4('large.default.svc.cluster.local')
    expect(new Set(addresses).size).toBe(100)
  })

  it('are returned to several queries over one connection', async () => {
    const questions = ['web', 'gone', 'db'].map((name, id) => packet(id, `${name}.default.svc.cluster.local`))
    const replies = await overConnection(running.port, Buffer.concat(questions.map(withLength)), 3)
    expect(replies.map(({ id, rcode }) => `${id} ${rcode}`).sort()).toEqual(['0 NOERROR', '1 NXDOMAIN', '2 NOERROR'])
  })

  it('are not returned to a connection that sends anything else', async () => {
    expect(await overConnection(running.port, Buffer.from([0xff, 0xff, 1, 2, 3]), 1)).toEqual([])
    const many = Buffer.concat(Array.from({ length: 50 }, (_, id) => withLength(packet(id, 'a.example.com'))))
    expect(await overConnection(running.port, many, 50)).toEqual([])
  })

  it('are returned without invalid ports of a slice', async () => {
    const found = await resolverAt(running.port).resolveSrv('odd.default.svc.cluster.local')
    expect(found.map(({ port }) => port)).toEqual([80])
  })

  it('are returned to the next client after an internal error', async () => {
    const responder = {
      reply: (bytes: Buffer) => {
        if (bytes.readUInt16BE(0) === 1) throw new RangeError('out of range')
        return bytes
      },
    }
    const failing = await startDnsServer({ host, port: 0, responder, log: silentLog })
    const socket = createSocket('udp4')
    const replied: number[] = []
    socket.on('message', (bytes) => replied.push(bytes.readUInt16BE(0)))
    for (const id of [1, 2]) await send(socket, packet(id, 'a.b'), failing.port)
    await eventually(() => expect(replied).toEqual([2]))
    socket.close()
    await failing.stop()
  })

  it('are rate limited for each client', async () => {
    const responder = { reply: (bytes: Buffer) => bytes }
    const limited = await startDnsServer({
      host,
      port: 0,
      responder,
      mostPerSecond: 5,
      clock: { now: () => 0 },
      log: silentLog,
    })
    const socket = createSocket('udp4')
    let count = 0
    socket.on('message', () => count++)
    for (let id = 0; id < 30; id++) await send(socket, packet(id, 'a.b'), limited.port)
    await eventually(() => expect(count).toBe(10))
    socket.close()
    await limited.stop()
  })

  it('elsewhere have a limit for pending queries', async () => {
    const silent = createSocket('udp4')
    await new Promise<void>((resolve) => silent.bind(0, host, resolve))
    const forwarder = new NameForwarder({ servers: () => [`${host}:${silent.address().port}`], random: systemRandom })
    const questions = Array.from({ length: 60 }, (_, id) =>
      forwarder.ask({ name: `a${id}.example`, type: 'A' }, '10.0.0.1'),
    )
    const atOnce = await Promise.all(questions.slice(50))
    expect(atOnce).toEqual(Array(10).fill(undefined))
    forwarder.stop()
    expect(await Promise.all(questions)).toEqual(Array(60).fill(undefined))
    silent.close()
  })

  function answerOutside(bytes: Buffer): Buffer {
    const { id, questions } = decode(bytes)
    const [question] = questions
    const name = question?.name ?? ''
    asked.push({ name, type: question?.type ?? '' })
    const rcode = { 'missing.example.com': 3, 'broken.example.com': 2 }[name] ?? 0
    const answers = rcode === 0 ? [{ name, type: 'A', ttl: 9, data: '203.0.113.5' }] : []
    return encode({ id, type: 'response', flags: rcode, questions, answers })
  }
})

function resolverAt(port: number): dns.Resolver {
  const resolver = new dns.Resolver({ timeout: 30_000, tries: 2 })
  resolver.setServers([`${host}:${port}`])
  return resolver
}

function packet(id: number, name: string): Buffer {
  return encode({ id, type: 'query', flags: 256, questions: [{ name, type: 'A' }] })
}

function send(socket: ReturnType<typeof createSocket>, bytes: Buffer, port: number): Promise<void> {
  return new Promise((resolve) => socket.send(bytes, port, host, () => resolve()))
}

/** The received data, until the connection ends or `most` replies have arrived. */
function overConnection(port: number, bytes: Buffer, most: number): Promise<readonly ReturnType<typeof decode>[]> {
  return new Promise((resolve) => {
    const socket = connect(port, host, () => socket.write(bytes))
    let rest = Buffer.alloc(0)
    const replies: ReturnType<typeof decode>[] = []
    const end = () => {
      socket.destroy()
      resolve(replies)
    }
    socket.on('error', end)
    socket.on('close', end)
    socket.on('data', (part) => {
      rest = Buffer.concat([rest, part])
      while (rest.length >= 2 && rest.length >= 2 + rest.readUInt16BE(0)) {
        const length = rest.readUInt16BE(0)
        replies.push(decode(rest.subarray(2, 2 + length)))
        rest = rest.subarray(2 + length)
      }
      if (replies.length >= most) end()
    })
  })
}

function service(name: string, spec: object) {
  return { apiVersion: 'v1', kind: 'Service', metadata: { namespace: 'default', name }, spec }
}

function slice(name: string, endpoints: readonly object[], morePorts: readonly object[] = []) {
  const labels = { 'kubernetes.io/service-name': name }
  const ports = [{ name: 'http', port: 80, protocol: 'TCP' }, ...morePorts]
  const metadata = { namespace: 'default', name, labels }
  return { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata, addressType: 'IPv4', endpoints, ports }
}

async function fill(client: KubeClient): Promise<void> {
  const ports = [{ name: 'http', port: 80 }]
  await client.create(services, service('web', { clusterIP: '10.96.0.70', ports }))
  await client.create(services, service('db', { clusterIP: 'None', ports }))
  await client.create(services, service('large', { clusterIP: 'None', ports }))
  await client.create(services, service('far', { type: 'ExternalName', externalName: 'example.com' }))
  await client.create(
    slices,
    slice('db', [
      { addresses: ['10.1.0.1'], hostname: 'db-0', conditions: { ready: true } },
      { addresses: ['10.1.0.2'] },
      { addresses: ['10.1.0.3'], conditions: { ready: false } },
    ]),
  )
  await client.create(services, service('odd', { clusterIP: 'None', ports }))
  const oddPorts = [
    { name: 'high', port: 70_000, protocol: 'TCP' },
    { name: 'low', port: -1, protocol: 'TCP' },
  ]
  await client.create(slices, slice('odd', [{ addresses: ['10.4.0.1'] }], oddPorts))
  const many = Array.from({ length: 100 }, (_, index) => ({ addresses: [`10.3.0.${index}`] }))
  await client.create(slices, slice('large', many))
  const spec = { containers: [{ name: 'main', image: 'app:1' }] }
  const metadata = { namespace: 'default', name: 'db-0' }
  await client.create(pods, { apiVersion: 'v1', kind: 'Pod', metadata, spec })
  const status = { podIP: '10.1.0.1', podIPs: [{ ip: '10.1.0.1' }] }
  await client.patch(pods, metadata, { type: 'merge', body: { status }, subresource: 'status' })
}
