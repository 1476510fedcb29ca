import { getEventListeners, setMaxListeners } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { HttpAnswer } from '../../../src/client/answer-body.ts'
import { ConnectionError } from '../../../src/client/connection/connection-error.ts'
import type { ConnectionPool } from '../../../src/client/pool/connection-pool.ts'
import { wholeAnswer } from '../../../src/client/pool/whole-answer.ts'
import { eventually } from '../../support/eventually.ts'
import { answerText, type ExampleServer, type HeardRequest, startExampleServer } from './example-server.ts'

const ok = answerText('{}')
const well = ({ socket }: HeardRequest) => void socket.write(ok)
const silent = () => {}

async function serverThat(onRequest: (heard: HeardRequest) => void): Promise<ExampleServer> {
  const server = await startExampleServer(onRequest)
  onTestFinished(() => server.stop())
  return server
}

const limits = { origin: 'http://example', maxBytes: 1000, wholeTimeoutMs: 60_000 }

function ask(pool: ConnectionPool, path = '/', signal?: AbortSignal, body = 'x'): Promise<HttpAnswer> {
  return wholeAnswer(pool, { method: 'POST', path, headers: {}, body }, limits, signal)
}

const textOf = ({ body }: HttpAnswer) => body.toString()

const outcomeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => undefined,
    (error: unknown) => error,
  )
const pathOf = ({ text }: HeardRequest) => text.split(' ')[1]
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

describe('a connection', () => {
  it('is reused', async () => {
    const server = await serverThat(well)
    const pool = server.pool()
    for (const _ of numbers(10)) expect(textOf(await ask(pool))).toBe('{}')
    expect(server.connections).toHaveLength(1)
  })

  it('is reused after a deletion with a body', async () => {
    const server = await serverThat(well)
    const pool = server.pool()
    const deletion = { method: 'DELETE', path: '/', headers: {}, body: '{}' } as const
    for (const _ of numbers(3)) await wholeAnswer(pool, deletion, limits, undefined)
    expect(server.connections).toHaveLength(1)
  })

  it('carries one request at a time, and each gets its own response', async () => {
    const busy = new Set<Socket>()
    let together = 0
    const server = await serverThat(({ socket, text, number }) => {
      if (busy.has(socket)) together++
      busy.add(socket)
      setTimeout(
        () => {
          busy.delete(socket)
          socket.write(answerText(text.split(' ')[1] ?? ''))
        },
        (number * 7) % 4,
      )
    })
    const pool = server.pool()
    const asked = numbers(300).map(async (number) => {
      const controller = new AbortController()
      if (number % 5 === 0) setTimeout(() => controller.abort(new Error('enough')), number % 50)
      const outcome = await ask(pool, `/${number}`, controller.signal).catch((error: Error) => error.message)
      return typeof outcome === 'string' ? outcome : textOf(outcome)
    })
    for (const [number, outcome] of (await Promise.all(asked)).entries())
      expect(number % 5 === 0 ? [`/${number}`, 'enough'] : [`/${number}`]).toContain(outcome)
    expect(together).toBe(0)
    expect(new Set(server.heard.map(pathOf)).size).toBe(server.heard.length)
  })

  it.each([
    ['asks for it', answerText('{}', 'connection: close')],
    ['is old', ok.replace('1.1', '1.0')],
    ['says more than it announced', `${ok}more`],
    ['gives two answers at once', `${ok}${ok}`],
  ])('is not reused if the server %s', async (_, text) => {
    const server = await serverThat(({ socket }) => void socket.write(text))
    const pool = server.pool({ most: 1 })
    const answers = await Promise.all(numbers(3).map((number) => outcomeOf(ask(pool, `/${number}`))))
    expect(server.connections.length).toBeGreaterThan(1)
    expect(server.connections.length).toBe(server.heard.length)
    for (const error of answers)
      expect([undefined, true]).toContain(error instanceof ConnectionError ? error.nothingSent : error)
  })

  it('is not reused if its close ended the response', async () => {
    const server = await serverThat(({ socket }) => void socket.end('HTTP/1.1 200 OK\r\n\r\n{}'))
    const pool = server.pool({ most: 1 })
    const answers = await Promise.all(numbers(5).map(() => ask(pool)))
    expect(answers.map(textOf)).toEqual(Array(5).fill('{}'))
    expect(server.connections).toHaveLength(5)
  })

  it('is not reused if the server responded before it read the request', async () => {
    const server = await serverThat(silent)
    const pool = server.pool({ most: 1 })
    const body = 'x'.repeat(32 * 1024 * 1024)
    const asked = ask(pool, '/', undefined, body)
    await eventually(() => expect(server.connections[0]?.bytesRead).toBeGreaterThan(0))
    server.connections[0]?.pause().write(answerText('too large'))
    expect(textOf(await asked)).toBe('too large')
    await eventually(() => expect(server.connections[0]?.resume().destroyed).toBe(true))
  })

  it('is not reused if the server sent unrequested data', async () => {
    const server = await serverThat(well)
    const pool = server.pool()
    await ask(pool)
    server.connections[0]?.write(answerText('for another request'))
    await eventually(() => expect(server.connections[0]?.destroyed).toBe(true))
    expect(textOf(await ask(pool))).toBe('{}')
    expect(server.connections).toHaveLength(2)
  })

  it('is not used if the server speaks first', async () => {
    const server = await serverThat(well)
    const pool = server.pool()
    const controller = new AbortController()
    const asked = outcomeOf(ask(pool, '/', controller.signal))
    controller.abort()
    await asked
    await eventually(() => expect(server.connections).toHaveLength(1))
    server.connections[0]?.write('HTTP/1.1 200 OK')
    await eventually(() => expect(server.connections[0]?.destroyed).toBe(true))
  })

  it('is replaced if the server closed it while it was idle', async () => {
    const server = await serverThat(well)
    const pool = server.pool()
    await ask(pool)
    server.connections[0]?.end()
    await eventually(() => expect(server.connections[0]?.destroyed).toBe(true))
    await ask(pool)
    expect(server.connections).toHaveLength(2)
  })

  it('is not used once it is broken, even before an event reports it', async () => {
    const server = await serverThat(well)
    const { open, sockets } = server.opening()
    const pool = server.pool({ open })
    await ask(pool)
    sockets[0]?.destroy()
    expect(await ask(pool)).toMatchObject({ status: 200 })
  })

  it('is closed after it was idle for long', async () => {
    const server = await serverThat(well)
    const pool = server.pool({ keepAliveMs: 30 })
    await ask(pool)
    await eventually(() => expect(server.connections[0]?.destroyed).toBe(true))
  })

  it('is closed shortly before the server would close it', async () => {
    const server = await serverThat(({ socket }) => void socket.write(answerText('{}', 'keep-alive: timeout=1')))
    const { open, sockets } = server.opening()
    await ask(server.pool({ open }))
    // Timers that are due run in the order of their times, however late.
    await delay(1_000)
    expect(sockets[0]?.destroyed).toBe(true)
  })
})

describe('a request', () => {
  it('fails if the response is truncated at any byte, and is never sent twice', async () => {
    const text = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'
    const server = await serverThat(({ socket, number }) => {
      socket.write(text.slice(0, number - 1))
      if (number % 2 === 0) socket.end()
      else setImmediate(() => socket.resetAndDestroy())
    })
    const pool = server.pool({ most: 1 })
    for (const _ of text)
      expect(await outcomeOf(ask(pool))).toMatchObject({ name: 'ConnectionError', nothingSent: false })
    expect(server.heard).toHaveLength(text.length)
  })

  it.each([
    ['gives no answer', '', 'gave no answer within 0.05 s', 50],
    ['stops in the middle', ok.slice(0, -1), 'stopped in the middle of an answer', 2_000],
    ['speaks another language', 'SSH-2.0-x\r\n\r\n', 'not HTTP'],
    ['sends too much', answerText('x'.repeat(1001)), 'larger than 1000 bytes'],
    ['changes the protocol', 'HTTP/1.1 101 x\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n', 'not HTTP'],
  ])('fails if the server %s', async (_, text, problem, answerTimeoutMs = 60_000) => {
    const server = await serverThat(({ socket }) => void socket.write(text))
    const pool = server.pool({ answerTimeoutMs })
    expect(await outcomeOf(ask(pool))).toMatchObject({ nothingSent: false, message: expect.stringContaining(problem) })
    await eventually(() => expect(server.connections[0]?.destroyed).toBe(true))
    expect(server.heard).toHaveLength(1)
  })
})

describe('a limit of connections', () => {
  it('is enforced, and requests are served in order of arrival', async () => {
    const server = await serverThat(({ socket }) => void setTimeout(() => socket.write(ok), 1))
    const pool = server.pool({ most: 2 })
    await Promise.all(numbers(40).map((number) => ask(pool, `/${number}`)))
    expect(server.connections).toHaveLength(2)
    // What is sent on two connections at once may arrive in either order.
    const places = server.heard.map((heard, place) => Math.abs(Number(pathOf(heard)?.slice(1)) - place))
    expect(Math.max(...places)).toBeLessThan(2)
  })

  it('does not block requests when connections break', async () => {
    const server = await serverThat(({ socket, number }) => (number % 3 === 0 ? socket.destroy() : socket.write(ok)))
    const pool = server.pool({ most: 2 })
    const outcomes = await Promise.all(numbers(30).map(() => outcomeOf(ask(pool))))
    expect(outcomes.filter((error) => error !== undefined)).toHaveLength(10)
    expect(server.heard).toHaveLength(30)
  })
})

describe('a connection that cannot be opened', () => {
  const refused = new ConnectionError('nothing listens there', { nothingSent: true })

  it('is reported to every waiting request', async () => {
    let tries = 0
    const server = await serverThat(well)
    const pool = server.pool({ most: 2, open: () => Promise.reject(++tries && refused) })
    expect(await Promise.all(numbers(10).map(() => outcomeOf(ask(pool))))).toEqual(Array(10).fill(refused))
    expect(tries).toBe(10)
  })

  it('does not count toward the limit, even if it failed during the handshake', async () => {
    const server = await serverThat(well)
    let tries = 0
    const open = () =>
      new Promise<Socket>((resolve) => {
        const socket = connect(server.port, '127.0.0.1', () => {
          if (++tries > 3) return resolve(socket)
          socket.on('close', () => resolve(socket)).destroy()
        })
      })
    const pool = server.pool({ most: 1, open })
    const outcomes = await Promise.all(numbers(5).map(() => outcomeOf(ask(pool))))
    expect(outcomes.slice(0, 3)).toMatchObject(Array(3).fill({ nothingSent: true, name: 'ConnectionError' }))
    expect(outcomes.slice(3)).toEqual([undefined, undefined])
  })
})

describe('a caller that gives up', () => {
  const enough = new Error('enough')

  it('before the request, causes nothing', async () => {
    const server = await serverThat(well)
    const pool = server.pool()
    expect(await outcomeOf(ask(pool, '/', AbortSignal.abort(enough)))).toBe(enough)
    expect(server.connections).toEqual([])
    await ask(pool, '/first')
    expect(await outcomeOf(ask(pool, '/', AbortSignal.abort(enough)))).toBe(enough)
    await ask(pool, '/second')
    expect(server.heard.map(pathOf)).toEqual(['/first', '/second'])
    expect(server.connections).toHaveLength(1)
  })

  it('while waiting for a connection, leaves it to the next request', async () => {
    const server = await serverThat(({ socket }) => void setTimeout(() => socket.write(ok), 20))
    const pool = server.pool({ most: 1 })
    const controller = new AbortController()
    const asked = [ask(pool, '/a'), outcomeOf(ask(pool, '/b', controller.signal)), ask(pool, '/c')]
    controller.abort(enough)
    expect(await asked[1]).toBe(enough)
    await Promise.all(asked)
    expect(server.heard.map(pathOf)).toEqual(['/a', '/c'])
  })

  it('while a connection is being opened, sends nothing', async () => {
    const server = await serverThat(well)
    for (const hops of numbers(12)) {
      const controller = new AbortController()
      let socket: Socket | undefined
      let sentBefore = false
      const open = async () => {
        socket = await new Promise<Socket>((resolve) => {
          const opened = connect(server.port, '127.0.0.1', () => resolve(opened))
        })
        void afterHops(hops).then(() => {
          sentBefore = socket !== undefined && socket.bytesWritten > 0
          controller.abort(enough)
        })
        return socket
      }
      const before = server.heard.length
      expect(await outcomeOf(ask(server.pool({ open }), '/', controller.signal))).toBe(enough)
      expect((socket?.bytesWritten ?? 0) > 0).toBe(sentBefore)
      if (!sentBefore) expect(server.heard).toHaveLength(before)
    }
  })

  it('during a request, closes its connection', async () => {
    const server = await serverThat(silent)
    const controller = new AbortController()
    const outcome = outcomeOf(ask(server.pool(), '/', controller.signal))
    await eventually(() => expect(server.heard).toHaveLength(1))
    controller.abort(enough)
    expect(await outcome).toBe(enough)
    await eventually(() => expect(server.connections[0]?.destroyed).toBe(true))
  })

  it('after the response, affects no other request', async () => {
    const server = await serverThat(well)
    const pool = server.pool()
    const controller = new AbortController()
    await ask(pool, '/', controller.signal)
    const next = ask(pool)
    controller.abort(enough)
    expect(await next).toMatchObject({ status: 200 })
    expect(server.connections).toHaveLength(1)
  })

  it('leaves no listener on a long-lived signal', async () => {
    const { signal } = new AbortController()
    setMaxListeners(0, signal)
    const server = await serverThat(({ socket, number }) => (number % 2 === 0 ? socket.destroy() : socket.write(ok)))
    const pool = server.pool({ most: 2 })
    await Promise.all(numbers(20).map(() => outcomeOf(ask(pool, '/', signal))))
    const refusing = server.pool({ open: () => Promise.reject(enough) })
    await outcomeOf(ask(refusing, '/', signal))
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

async function afterHops(count: number): Promise<void> {
  for (const _ of numbers(count)) await undefined
}

describe('a pool', () => {
  it('that is closed serves its current requests, and no others', async () => {
    const server = await serverThat(({ socket }) => void setTimeout(() => socket.write(ok), 5))
    const pool = server.pool({ most: 2 })
    await ask(pool)
    const asked = numbers(6).map(() => ask(pool))
    pool.close()
    await expect(ask(pool)).rejects.toThrow('has been closed')
    expect(await Promise.all(asked)).toHaveLength(6)
    await eventually(() => expect(server.connections.every(({ destroyed }) => destroyed)).toBe(true))
  })

  it('that is destroyed serves no more requests', async () => {
    const server = await serverThat(silent)
    const pool = server.pool({ most: 2 })
    const asked = numbers(6).map(() => outcomeOf(ask(pool)))
    await eventually(() => expect(server.heard).toHaveLength(2))
    pool.destroy()
    for (const error of await Promise.all(asked)) expect(error).toMatchObject({ name: 'ConnectionError' })
    await eventually(() => expect(server.connections.every(({ destroyed }) => destroyed)).toBe(true))
    expect(server.heard).toHaveLength(2)
  })

  it('that is destroyed while a connection is being opened closes it', async () => {
    const server = await serverThat(well)
    const pool = server.pool()
    const asked = outcomeOf(ask(pool))
    pool.destroy()
    expect(await asked).toMatchObject({ name: 'ConnectionError' })
    await eventually(() => expect(server.connections[0]?.destroyed).toBe(true))
    expect(server.heard).toEqual([])
  })

  it('keeps a process alive only during a request', async () => {
    const server = await serverThat(silent)
    const { open, sockets } = server.opening()
    let last = 'ref'
    const watched = async () => {
      const socket = await open()
      for (const name of ['ref', 'unref'] as const) {
        const act = socket[name].bind(socket)
        socket[name] = () => {
          last = name
          return act()
        }
      }
      return socket
    }
    const asked = ask(server.pool({ open: watched }))
    await eventually(() => expect(server.heard).toHaveLength(1))
    expect(last).toBe('ref')
    server.connections[0]?.write(ok)
    await asked
    await eventually(() => expect(last).toBe('unref'))
    expect(sockets[0]?.destroyed).toBe(false)
  })
})
