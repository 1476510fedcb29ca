import type { ServerHttp2Stream, Settings } from 'node:http2'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { controlLimits, linkLimits } from '../../../src/api/link-limits.ts'
import { proveToBe } from '../../link/claims.ts'
import { stopsWithTest } from '../../link/stops-with-test.ts'
import { embedded, inside, instances, link, startLinkPlatform, type TestLink, tenantKey } from '../../link/support.ts'
import { keysPath, type TestPlatform } from '../../platform/platform.ts'
import { startTestServer, type TestServer } from '../../support/clusters/api-server.ts'
import { eventually } from '../../support/eventually.ts'
import { frame, givenUp, linkHostile, openHostileLink, sendFrames, speak, statusOk } from './hostile-link.ts'
import { startHostilePlatform } from './hostile-platform.ts'

const authenticate = (accessKey: string) => `${JSON.stringify({ type: 'authenticate', accessKey })}\n`

describe('a tenant that floods its link', () => {
  let platform: TestPlatform
  let virtual: TestServer
  let neighbor: TestLink
  let shared = ''
  let made = 0

  beforeAll(async () => {
    ;[platform, virtual] = await Promise.all([startLinkPlatform(), startTestServer()])
    shared = await tenantKey(platform, 'shared')
    const { url, authority } = platform.server
    neighbor = link({ name: 'neighbor', accessKey: shared, url, authority, virtualApi: embedded(virtual) })
    await neighbor.linked()
  })

  afterAll(async () => {
    await neighbor?.stop()
    await Promise.all([platform?.stop(), virtual?.stop()])
  })

  const newName = () => {
    made += 1
    return `hostile-${made}`
  }
  const hostile = async () => {
    const name = newName()
    return { name, link: await linkHostile(platform, shared, name) }
  }
  const isEndedFor = async (name: string, reason: string) => {
    await eventually(async () => {
      const { status } = await platform.must('GET', `${instances()}/${name}`)
      expect(status).toMatchObject({ phase: 'Offline', reason })
    })
  }
  const othersAreServed = async () => {
    expect((await platform.ask('GET', '/livez')).status).toBe(200)
    expect((await platform.ask('GET', `${inside('neighbor')}/version`)).status).toBe(200)
    expect(neighbor.state.state).toBe('linked')
  }

  test('with keys is cut off after a few, with the reason in its object', async () => {
    const { name, link: opened } = await hostile()
    const { control, closed, said } = await speak(opened)
    const start = performance.now()
    for (let sent = 0; sent < 10_000 && !control.destroyed; sent += 1)
      control.write(authenticate(`${sent}-${'x'.repeat(40)}`))
    await closed
    const later = Math.ceil((performance.now() - start) / 1_000) * controlLimits.perSecond
    expect(said().filter(({ type }) => type === 'refused').length).toBeLessThanOrEqual(controlLimits.burst + later)
    expect(said().at(-1)).toMatchObject({ type: 'ended', reason: 'Flooding' })
    await isEndedFor(name, 'Flooding')
    await othersAreServed()
  })

  test('with the same valid key repeatedly is cut off, too', async () => {
    const { name, link: opened } = await hostile()
    const { control, closed } = await speak(opened)
    control.write(authenticate(shared).repeat(1_000))
    await closed
    await isEndedFor(name, 'Flooding')
    await othersAreServed()
  })

  test.each<[string, string]>([
    ['a line of a megabyte', `${JSON.stringify({ type: 'authenticate', accessKey: 'x'.repeat(1_000_000) })}\n`],
    ['a line without an end', '{"type":"authenticate","accessKey":"'.padEnd(100_000, 'x')],
    ['empty lines', '\n'.repeat(5_000)],
    ['lines that are no JSON', 'GET / HTTP/1.1\r\n'],
    ['a line that is an array', '[]\n'],
    ['a line that is nested without end', `${'['.repeat(8_000)}\n`],
    ['unknown messages', `${JSON.stringify({ type: 'surprise' })}\n`.repeat(1_000)],
    ['bytes that are no text', Buffer.alloc(20_000, 0xff).toString('latin1')],
  ])('with %s is cut off', async (_, text) => {
    const { name, link: opened } = await hostile()
    const { control, closed } = await speak(opened)
    control.write(text, 'latin1')
    await closed
    await isEndedFor(name, 'Flooding')
    await othersAreServed()
  })

  test('within the limits is not cut off', async () => {
    const { link: opened } = await hostile()
    const { control, said, session } = await speak(opened)
    for (let sent = 0; sent < controlLimits.burst - 1; sent += 1) {
      control.write(authenticate(shared))
      await eventually(() => expect(said()).toHaveLength(sent + 1))
    }
    expect(said().every(({ type }) => type === 'authenticated')).toBe(true)
    session.destroy()
  })

  test.each<[string, () => readonly Buffer[]]>([
    ['opens its own stream', () => [frame('headers', 0x5, 2, statusOk)]],
    [
      'opens 10,000 streams',
      () => Array.from({ length: 10_000 }, (_, n) => frame('headers', 0x5, 2 + 2 * n, statusOk)),
    ],
    ['promises a stream', () => [acknowledged, promise(1)]],
    ['promises 1,000 streams before it may know better', () => [...promises(1_000), frame('data', 0, 3)]],
    ['answers without a request', () => [frame('headers', 0x4, 3, statusOk), frame('data', 0x1, 3)]],
    ['sends data on a missing stream', () => [frame('data', 0, 99, Buffer.alloc(1_000))]],
    ['changes its settings without end', () => Array.from({ length: 50_000 }, () => frame('settings', 0, 0))],
    [
      'sends headers that never end',
      () => [
        frame('headers', 0, 1, statusOk),
        ...Array.from({ length: 2_000 }, () => frame('continuation', 0, 1, Buffer.alloc(10_000, 0x88))),
      ],
    ],
    ['sends a frame of 16 MB', () => [frame('data', 0, 1, Buffer.alloc(16_000_000))]],
    ['sends nonsense', () => [Buffer.alloc(100_000, 'GET / HTTP/1.1\r\n\r\n')]],
    [
      'widens the window too far',
      () => Array.from({ length: 10 }, () => frame('window', 0, 0, Buffer.from([0x7f, 0xff, 0xff, 0xff]))),
    ],
  ])('that %s loses its link, and no other tenant does', async (_, frames) => {
    const { link: opened } = await hostile()
    const sent = sendFrames(opened, ...frames())
    await givenUp(opened)
    opened.connection.destroy()
    await sent
    await othersAreServed()
  })

  test.each<[string, (stream: ServerHttp2Stream) => void]>([
    [
      'a head of 200 KB',
      (stream) => stream.respond({ ':status': 200, ...Object.fromEntries(large(20)) }, { endStream: true }),
    ],
    [
      '500 headers',
      (stream) => stream.respond({ ':status': 200, ...Object.fromEntries(many(500)) }, { endStream: true }),
    ],
    ['1xx without end', (stream) => void announceForever(stream)],
    [
      'trailers of 200 KB',
      (stream) => {
        stream.respond({ ':status': 200 }, { waitForTrailers: true })
        stream.on('wantTrailers', () => stream.sendTrailers(Object.fromEntries(large(20))))
        stream.end('{}')
      },
    ],
    ['a reset', (stream) => stream.close(2)],
  ])('with %s harms no other tenant', async (_, say) => {
    const name = newName()
    const opened = await openHostileLink(platform, {
      token: shared,
      name,
      proof: await proveToBe(platform, { token: shared, name }),
    })
    const { session } = await speak(opened, say)
    await platform.ask('GET', `${inside(name)}/api`).catch(() => undefined)
    session.destroy()
    await othersAreServed()
  })

  test.each<[string, () => readonly Buffer[]]>([
    ['20,000 pings', () => Array.from({ length: 20_000 }, () => frame('ping', 0, 0, Buffer.alloc(8)))],
    ['20,000 frames of kinds that are not known', () => Array.from({ length: 20_000 }, () => unknownFrame())],
    ['a window that it widens by one byte 20,000 times', () => Array.from({ length: 20_000 }, () => oneByteMore())],
    ['an order to go away, and stays', () => [frame('goAway', 0, 0, Buffer.alloc(8))]],
  ])('with %s harms no other tenant', async (_, frames) => {
    const { link: opened } = await hostile()
    opened.connection.resume()
    await sendFrames(opened, ...frames())
    await othersAreServed()
    opened.connection.destroy()
  })

  test.each<[string, Settings]>([
    ['takes no requests', { maxConcurrentStreams: 0 }],
    ['leaves no room for a body', { initialWindowSize: 0 }],
  ])('that %s makes each request time out, and can answer again later', async (_, settings) => {
    const { name, link: opened } = await hostile()
    const { session } = await speak(opened, (stream) => {
      stream.resume().once('end', () => {
        if (!stream.destroyed) stream.respond({}, { endStream: true })
      })
    })
    const agreed = (next: Settings) => new Promise<void>((resolve) => session.settings(next, () => resolve()))
    await agreed(settings)
    const path = `${inside(name)}/api/v1/namespaces/default/configmaps`
    const ask = (timeout: string) =>
      platform.ask('POST', `${path}?timeout=${timeout}`, { body: { data: { text: 'x'.repeat(100_000) } } })
    const refused = await Promise.all(Array.from({ length: 20 }, () => ask('300ms')))
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 504))
    await othersAreServed()
    await agreed({ maxConcurrentStreams: 100, initialWindowSize: 65_535 })
    await eventually(async () => expect((await ask('30s')).status).toBe(200))
    session.destroy()
  })

  test('and announces its end but stays connected is cut off with its key, and gets no more requests', async () => {
    const name = newName()
    const own = await tenantKey(platform, `stolen-${name}`)
    const asked: string[] = []
    const { control, closed } = await speak(await linkHostile(platform, own, name), (stream, path) => {
      asked.push(path)
      stream.respond({ ':status': 200 }, { endStream: true })
    })
    control.write(`${JSON.stringify({ type: 'stopping' })}\n`)
    await platform.ask('GET', `${inside(name)}/before`)
    await platform.must('DELETE', `${keysPath}/stolen-${name}`)
    expect((await platform.ask('GET', `${inside(name)}/after`)).status).toBe(503)
    await closed
    expect(asked).not.toContain('/after')
    await isEndedFor(name, 'KeyRevoked')
  })

  test('with links that all announce their end keeps only the latest', async () => {
    const name = newName()
    const proof = await proveToBe(platform, { token: shared, name })
    const links = []
    for (let process = 0; process < linkLimits.maxLinksPerInstance + 3; process += 1) {
      const opened = await openHostileLink(platform, { token: shared, name, proof, process: `s-${process}` })
      const spoken = await speak(opened)
      spoken.control.write(`${JSON.stringify({ type: 'stopping' })}\n`)
      links.push(spoken)
    }
    for (const early of links.slice(0, 3)) await early.closed
    expect(links.filter(({ connection }) => !connection.destroyed)).toHaveLength(linkLimits.maxLinksPerInstance)
    for (const { session } of links) session.destroy()
  })

  test('with too many processes keeps only the latest', async () => {
    const name = newName()
    const proof = await proveToBe(platform, { token: shared, name })
    const links = []
    for (let process = 0; process < linkLimits.maxLinksPerInstance + 3; process += 1) {
      links.push(await speak(await openHostileLink(platform, { token: shared, name, proof, process: `p-${process}` })))
    }
    for (const early of links.slice(0, 3)) await early.closed
    expect(links.filter(({ connection }) => !connection.destroyed)).toHaveLength(linkLimits.maxLinksPerInstance)
    for (const { session } of links) session.destroy()
  })

  test('with links of one process keeps only the latest', async () => {
    const name = newName()
    const proof = await proveToBe(platform, { token: shared, name })
    const links = []
    for (let attempt = 0; attempt < 20; attempt += 1) {
      links.push(await speak(await openHostileLink(platform, { token: shared, name, proof })))
    }
    for (const early of links.slice(0, -1)) await early.closed
    expect(links.at(-1)?.connection.destroyed).toBe(false)
    expect(links[0]?.said().at(-1)).toMatchObject({ type: 'ended', reason: 'Replaced' })
    for (const { session } of links) session.destroy()
  })

  test('with invalid tokens of every form has each refused', async () => {
    const header = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const tokens = [
      ...['', '.', '..', 'a.b.c', 'Bearer x', '\u0000', '\ud800', '__proto__', 'tpr_x', 'tpi_x'],
      `${header({ alg: 'none' })}.${header({ sub: 'system:serviceaccount:kube-system:default' })}.`,
      `${header({ alg: 'HS256', kid: ['x'] })}.${header(null)}.${header('x')}`,
      `${header([])}.${header([])}.x`,
    ]
    const { link: opened } = await hostile()
    const { control, said, session } = await speak(opened)
    for (const [at, token] of tokens.entries()) {
      control.write(authenticate(token))
      await eventually(() => expect(said()).toHaveLength(at + 1))
    }
    expect(said().every(({ type }) => type === 'refused')).toBe(true)
    await othersAreServed()
    session.destroy()
  })

  test('with a key for another virtual cluster cannot use it', async () => {
    const name = newName()
    const scope = { roles: [{ role: 'tenant', projects: ['default'], virtualClusters: [name] }] }
    const narrow = await tenantKey(platform, `key-${name}`, scope)
    const other = await tenantKey(platform, `other-${name}`, { roles: [{ role: 'tenant', projects: ['other'] }] })
    const { control, said, closed } = await speak(await linkHostile(platform, narrow, name))
    control.write(authenticate(other))
    await eventually(() => expect(said()).toMatchObject([{ type: 'refused', reason: 'RoleMissing' }]))
    await platform.ask('DELETE', `/apis/management.platform.internal/v1/ownedaccesskeys/key-${name}`)
    await closed
  })
})

describe('a tenant', () => {
  let virtual: TestServer

  beforeAll(async () => {
    virtual = await startTestServer()
  })

  afterAll(() => virtual.stop())

  test('with a hundred key changes in a row sends the latest and stays linked', async () => {
    const platform = stopsWithTest(await startLinkPlatform())
    const { url, authority } = platform.server
    const [first, last] = [await tenantKey(platform, 'first'), await tenantKey(platform, 'last')]
    const tenant = stopsWithTest(link({ accessKey: first, url, authority, virtualApi: embedded(virtual) }))
    await tenant.linked()
    for (let sent = 0; sent < 100; sent += 1) tenant.takeKey({ ...tenant.key, accessKey: `${sent}-${'x'.repeat(40)}` })
    tenant.takeKey({ ...tenant.key, accessKey: last })
    await eventually(async () => {
      expect((await platform.must('GET', `${keysPath}/last`)).status.lastActivity).toBeDefined()
    })
    await platform.must('DELETE', `${keysPath}/first`)
    expect((await platform.ask('GET', `${inside('dev')}/version`)).status).toBe(200)
    expect(tenant.state.state).toBe('linked')
  })

  test.each<[string, string]>([
    ['too many lines', `${JSON.stringify({ type: 'refused', reason: 'x', message: 'y' })}\n`.repeat(500)],
    ['a line without an end', 'x'.repeat(100_000)],
    ['invalid JSON', 'nonsense\n'],
  ])('leaves a platform that sends %s, and retries later', async (_, text) => {
    const { url, authority } = stopsWithTest(await startHostilePlatform(text))
    const accessKey = `anything-${'x'.repeat(40)}`
    const tenant = stopsWithTest(link({ accessKey, url, authority, virtualApi: embedded(virtual) }))
    expect((await tenant.waiting('PlatformError')).problem.message).toContain('sends too much on the link')
  })
})

const acknowledged = frame('settings', 0x1, 0)

function unknownFrame(): Buffer {
  const bytes = frame('data', 0, 0)
  bytes.writeUInt8(0xfa, 3)
  return bytes
}

function oneByteMore(): Buffer {
  return frame('window', 0, 0, Buffer.from([0, 0, 0, 1]))
}

/** A push promise of `GET http:/` on the control stream. */
function promise(number: number): Buffer {
  return frame('push', 0x4, 1, Buffer.from([0, 0, (number * 2) >> 8, (number * 2) & 0xff, 0x82, 0x84, 0x86]))
}

function promises(count: number): readonly Buffer[] {
  return Array.from({ length: count }, (_, n) => promise(n + 1))
}

function large(count: number): readonly [string, string][] {
  return Array.from({ length: count }, (_, n) => [`x-${n}`, 'y'.repeat(10_000)])
}

function many(count: number): readonly [string, string][] {
  return Array.from({ length: count }, (_, n) => [`x-${n}`, 'y'])
}

async function announceForever(stream: ServerHttp2Stream): Promise<void> {
  while (!stream.destroyed) {
    stream.additionalHeaders({ ':status': 103 })
    await new Promise(setImmediate)
  }
}
