import { createServer, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { KubeClient } from '../../../src/client/contract.ts'
import { clientByKubeconfig, configMaps } from '../../client/client-of.ts'
import {
  answerText,
  type ExampleServer,
  type HeardRequest,
  startExampleServer,
} from '../../client/pool/example-server.ts'
import { eventually } from '../../support/eventually.ts'
import { key, objectNamed } from './support/hostile-server.ts'

const object = objectNamed('a')
const well = answerText(JSON.stringify(object))
const retry = { attempts: 4, firstMs: 1, longestMs: 5 }
const patient = { connectTimeoutMs: 240_000, answerTimeoutMs: 240_000 }
const hasty = { connectTimeoutMs: 1_000, answerTimeoutMs: 5_000 }

async function attackOver(
  onRequest: (heard: HeardRequest) => void,
): Promise<{ client: KubeClient; server: ExampleServer }> {
  const server = await startExampleServer(onRequest)
  onTestFinished(() => server.stop())
  return { server, client: await plainClient(server.port) }
}

async function plainClient(port: number, cluster: object = {}, timeouts = patient): Promise<KubeClient> {
  const kubeconfig = {
    clusters: [{ name: 'c', cluster: { server: `http://127.0.0.1:${port}`, ...cluster } }],
    contexts: [{ name: 'x', context: { cluster: 'c' } }],
    'current-context': 'x',
  }
  const client = await clientByKubeconfig(JSON.stringify(kubeconfig), { limits: { retry, ...timeouts } })
  onTestFinished(() => client.close())
  return client
}

/** Every write has a unique name, by which its arrivals are counted. */
const named = (index: number) => objectNamed(`write-${index}`)

function arrivalsIn({ heard }: ExampleServer): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { text } of heard) {
    const name = /"name":"([^"]+)"/.exec(text)?.[1] ?? ''
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}

const outcomesOf = (client: KubeClient, count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, index) =>
      client.create(configMaps, named(index)).then(
        () => 'done',
        (error: Error) => error.name,
      ),
    ),
  )

describe('a write arrives at most once', () => {
  test.each([
    ['is cut as soon as it has arrived', ({ socket }: HeardRequest) => socket.resetAndDestroy()],
    ['is closed without an answer', ({ socket }: HeardRequest) => socket.end()],
    ['is cut in the middle of the answer', ({ socket }: HeardRequest) => socket.end(well.slice(0, 60))],
    ['is closed behind every answer, though it should be kept', ({ socket }: HeardRequest) => socket.end(well)],
    ['is cut behind every answer', ({ socket }: HeardRequest) => socket.write(well, () => socket.resetAndDestroy())],
    [
      'ends with the answer',
      ({ socket }: HeardRequest) => socket.end(`HTTP/1.0 200 OK\r\n\r\n${JSON.stringify(object)}`),
    ],
    ['carries two answers', ({ socket }: HeardRequest) => socket.write(well + well)],
    ['carries an answer and nonsense', ({ socket }: HeardRequest) => socket.write(`${well}nonsense`)],
    [
      'breaks now and then',
      ({ socket, number }: HeardRequest) => (number % 3 === 0 ? socket.destroy() : socket.write(well)),
    ],
  ])('when its connection %s', async (_, attack) => {
    const { client, server } = await attackOver((heard) => void attack(heard))
    const outcomes = await outcomesOf(client, 60)
    const arrivals = arrivalsIn(server)
    for (const [name, count] of arrivals) expect([name, count]).toEqual([name, 1])
    expect(outcomes.filter((outcome) => outcome === 'done').length).toBeLessThanOrEqual(arrivals.size)
  })

  test('when the connection is closed at the moment it is reused', async () => {
    const { client, server } = await attackOver(({ socket }) => {
      socket.write(well)
      setImmediate(() => socket.destroy())
    })
    for (let index = 0; index < 60; index++) await client.create(configMaps, named(index)).catch(() => {})
    for (const [name, count] of arrivalsIn(server)) expect([name, count]).toEqual([name, 1])
  })

  test('when the server closes before it has read the whole request', async () => {
    let arrived = 0
    const sockets: Socket[] = []
    const server = createServer((socket) => {
      sockets.push(socket)
      socket
        .on('error', () => {})
        .once('data', () => {
          arrived++
          socket.pause()
          setTimeout(() => socket.resetAndDestroy(), 20)
        })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const address = server.address()
    const client = await plainClient(address !== null && typeof address === 'object' ? address.port : 0)
    const large = { ...object, data: { x: 'x'.repeat(16 * 1024 * 1024) } }
    await expect(client.create(configMaps, large)).rejects.toMatchObject({ nothingSent: false })
    expect(arrived).toBe(1)
    for (const socket of sockets) socket.destroy()
  })

  test('and is retried only if the connection was never established', async () => {
    let tries = 0
    const server = createServer((socket) => {
      tries++
      socket.destroy()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = address !== null && typeof address === 'object' ? address.port : 0
    await new Promise((resolve) => server.close(resolve))
    const client = await plainClient(port)
    await expect(client.create(configMaps, object)).rejects.toMatchObject({ nothingSent: true })
    expect(tries).toBe(0)
  })
})

describe('damaged answers', () => {
  /** The same numbers in every run. */
  function* numbers(seed: number): Generator<number> {
    for (let state = seed; ; state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) yield state / 2 ** 32
  }

  const heads = [
    'HTTP/1.1 200 OK\r\ncontent-length: 20\r\n',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n',
    'HTTP/1.1 200 OK\r\nconnection: close\r\n',
    'HTTP/1.1 204 No Content\r\ncontent-length: 9\r\n',
    'HTTP/1.1 101 x\r\nconnection: upgrade\r\nupgrade: x\r\n',
    'HTTP/1.1 101 x\r\n',
    'HTTP/1.1 100 Continue\r\n',
    'HTTP/1.0 200\r\n',
    'HTTP/1.1 999 \r\ncontent-length: 5\r\ncontent-length: 7\r\n',
  ]
  const bodies = [
    '{}',
    '5\r\n{"a":\r\n2\r\n1}\r\n0\r\n\r\n',
    'ffffffffffffffffff\r\n',
    '0\r\nx: y\r\n\r\n',
    '',
    well,
    'x'.repeat(3_000),
  ]

  test('of every kind, truncated or reset anywhere, never crash the process or repeat a write', async () => {
    const random = numbers(20_261_116)
    const next = (below: number) => Math.floor((random.next().value ?? 0) * below)
    const { client, server } = await attackOver(({ socket }) => {
      let text = `${heads[next(heads.length)]}\r\n${bodies[next(bodies.length)]}`
      if (next(3) === 0) text = text.slice(0, next(text.length))
      if (next(4) === 0) text += well
      if (next(4) === 0) text = text.replace('\r\n', ['\n', '\r', '\0', ' '][next(4)] ?? '')
      const at = next(text.length)
      socket.write(text.slice(0, at))
      const end = next(4)
      setImmediate(() => {
        socket.write(text.slice(at))
        if (end === 0) socket.resetAndDestroy()
        else if (end > 1) socket.end()
        else setTimeout(() => socket.destroy(), 5)
      })
    })
    for (let round = 0; round < 20; round++) {
      const base = round * 50
      await Promise.all(
        Array.from({ length: 50 }, (_, index) => client.create(configMaps, named(base + index)).catch(() => {})),
      )
    }
    const arrivals = arrivalsIn(server)
    expect(arrivals.size).toBe(1_000)
    for (const [name, count] of arrivals) expect([name, count]).toEqual([name, 1])
  })

  test('that are reset unread do not crash the process', async () => {
    const { client, server } = await attackOver(({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n')
      socket.write('x'.repeat(256 * 1024), () => setTimeout(() => socket.resetAndDestroy(), 10))
    })
    const informer = client.informer(configMaps)
    await eventually(() => expect(server.heard.length).toBeGreaterThan(2))
    expect(informer.isSynced).toBe(false)
  })
})

describe('intermediaries', () => {
  async function proxyThat(answerWith: (socket: Socket) => void): Promise<string> {
    const server = createServer((socket) => {
      socket.on('error', () => {}).once('data', () => answerWith(socket))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const address = server.address()
    return `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`
  }

  test.each([
    ['never answers', () => {}, /no answer within/, hasty],
    ['answers byte by byte without end', (socket: Socket) => drip(socket, 'x'), /no answer within|Parse Error/, hasty],
    [
      'sends a head without end',
      (socket: Socket) => drip(socket, `x: ${'y'.repeat(8_000)}\r\n`, 'HTTP/1.1 200 OK\r\n'),
      /through the proxy/,
      patient,
    ],
    [
      'refuses with a long text',
      (socket: Socket) => socket.end(`HTTP/1.1 403 x\r\n\r\n${'x'.repeat(1_000_000)}`),
      /answered 403/,
      patient,
    ],
    ['asks for credentials', (socket: Socket) => socket.end('HTTP/1.1 407 x\r\n\r\n'), /answered 407/, patient],
    ['is no proxy', (socket: Socket) => socket.end('SSH-2.0-x\r\n'), /through the proxy/, patient],
  ])('a proxy that %s gets no request and no token', async (_, answerWith, problem, timeouts) => {
    const { server } = await attackOver(({ socket }) => void socket.write(well))
    const client = await plainClient(server.port, { 'proxy-url': await proxyThat(answerWith) }, timeouts)
    await expect(client.get(configMaps, key)).rejects.toThrow(problem)
    expect(server.heard).toEqual([])
  })

  function drip(socket: Socket, piece: string, first = ''): void {
    socket.write(first)
    const timer = setInterval(() => socket.write(piece), 5)
    socket.once('close', () => clearInterval(timer))
  }
})
