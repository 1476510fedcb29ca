import { getEventListeners } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { OpeningAgent } from '../../src/client/connection/opening-agent.ts'
import { type StreamedAnswer, streamedAnswer } from '../../src/client/transport/streamed-answer.ts'
import { eventually } from '../support/eventually.ts'
import { answerText, type ExampleServer, type HeardRequest, startExampleServer } from './pool/example-server.ts'

const chunkedHead = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
const lastChunk = '0\r\n\r\n'
const request = { method: 'GET', path: '/', headers: {} } as const
const enough = new Error('enough')

async function serverThat(onRequest: (heard: HeardRequest) => void): Promise<ExampleServer> {
  const server = await startExampleServer(onRequest)
  onTestFinished(() => server.stop())
  return server
}

interface AskOptions {
  readonly agent?: OpeningAgent
  readonly answerTimeoutMs?: number
}

function agentOf({ port }: ExampleServer, sockets: Socket[] = []): OpeningAgent {
  const open = () =>
    new Promise<Socket>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(socket))
      sockets.push(socket)
    })
  const agent = new OpeningAgent(open)
  onTestFinished(() => agent.destroy())
  return agent
}

function ask(server: ExampleServer, signal: AbortSignal, options: AskOptions = {}): Promise<StreamedAnswer> {
  const { agent = agentOf(server), answerTimeoutMs = 60_000 } = options
  return streamedAnswer(request, { agent, url: new URL('http://example'), answerTimeoutMs }, signal)
}

const textOf = async (answer: StreamedAnswer) => (await answer.body()).toString()

async function bytesOf({ chunks }: StreamedAnswer): Promise<number> {
  let bytes = 0
  for await (const part of chunks) bytes += part.length
  return bytes
}

const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )
const { signal: never } = new AbortController()

describe('a streamed response', () => {
  it('delivers each part as it arrives', async () => {
    const server = await serverThat(({ socket }) => void socket.write(`${chunkedHead}${chunk('0')}`))
    const answer = await ask(server, never)
    expect(answer).toMatchObject({ status: 200, headers: { 'transfer-encoding': 'chunked' } })
    const read: string[] = []
    for await (const part of answer.chunks) {
      read.push(part.toString())
      server.connections[0]?.write(read.length < 5 ? chunk(String(read.length)) : lastChunk)
    }
    expect(read).toEqual(['0', '1', '2', '3', '4'])
  })

  it('releases its connection', async () => {
    const server = await serverThat(({ socket }) => void socket.write(answerText('a text')))
    const agent = agentOf(server)
    for (let count = 0; count < 5; count++) {
      expect(await textOf(await ask(server, never, { agent }))).toBe('a text')
      await eventually(() => expect(Object.values(agent.freeSockets).flat()).toHaveLength(1))
    }
    expect(server.connections).toHaveLength(1)
  })

  it('that breaks delivers what has arrived, and then the error', async () => {
    const server = await serverThat(({ socket }) => void socket.end(`${chunkedHead}${chunk('first')}`))
    const answer = await ask(server, never)
    const read: string[] = []
    const reading = (async () => {
      for await (const part of answer.chunks) read.push(part.toString())
    })()
    await expect(reading).rejects.toThrow('the connection was cut')
    expect(read).toEqual(['first'])
  })

  it('may pause for any time', async () => {
    const server = await serverThat(({ socket }) => {
      socket.write(chunkedHead)
      setTimeout(() => socket.write(`${chunk('late')}${lastChunk}`), 2_500)
    })
    const answer = await ask(server, never, { answerTimeoutMs: 2_000 })
    expect(await bytesOf(answer)).toBe(4)
  })

  it('must start in time', async () => {
    const server = await serverThat(() => {})
    const asked = ask(server, never, { answerTimeoutMs: 50 })
    await expect(asked).rejects.toThrow('gave no answer within 0.05 s')
  })

  it('must end in time if it is a refusal', async () => {
    const server = await serverThat(
      ({ socket }) => void socket.write(answerText('refused').slice(0, -1).replace('200', '403')),
    )
    const answer = await ask(server, never, { answerTimeoutMs: 2_000 })
    await expect(answer.body()).rejects.toThrow('did not end its answer within 2 s')
  })

  it('cannot be read as text if it is endless', async () => {
    const part = Buffer.from(chunk('x'.repeat(64 * 1024)))
    const server = await serverThat(({ socket }) => {
      const more = () => void (socket.writable && (socket.write(part) ? setImmediate(more) : undefined))
      socket.on('drain', more).write(chunkedHead)
      more()
    })
    const answer = await ask(server, never)
    await expect(answer.body()).rejects.toThrow('larger than')
    await eventually(() => expect(server.connections[0]?.destroyed).toBe(true))
  })
})

describe('a slow reader', () => {
  const large = 32 * 1024 * 1024
  const text = chunk('x'.repeat(large))

  it('applies backpressure to the server, and gets everything, including data that arrives with the end', async () => {
    const server = await serverThat(({ socket }) => void socket.end(`${chunkedHead}${text}${lastChunk}`))
    const sockets: Socket[] = []
    const answer = await ask(server, never, { agent: agentOf(server, sockets) })
    const read = () => sockets[0]?.bytesRead ?? 0
    await eventually(async () => {
      const before = read()
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect(read()).toBe(before)
    })
    expect(read()).toBeLessThan(large / 2)
    expect(await bytesOf(answer)).toBe(large)
  })

  it('gets the error of a connection that broke meanwhile', async () => {
    const server = await serverThat(({ socket }) => void socket.write(`${chunkedHead}${text}`))
    const answer = await ask(server, never)
    server.connections[0]?.resetAndDestroy()
    expect(await outcomeOf(bytesOf(answer))).toMatchObject({ name: 'ConnectionError' })
  })
})

describe('a reader that stops', () => {
  const endless = ({ socket }: HeardRequest) => void socket.write(`${chunkedHead}${chunk('a')}`)

  it('closes the connection, and leaves no listener on its signal', async () => {
    const { signal } = new AbortController()
    const server = await serverThat(endless)
    const { chunks } = await ask(server, signal)
    for await (const _ of chunks) break
    await eventually(() => expect(server.connections[0]?.destroyed).toBe(true))
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('by its signal is woken at once', async () => {
    const controller = new AbortController()
    const server = await serverThat(endless)
    const answer = await ask(server, controller.signal)
    const reading = outcomeOf(bytesOf(answer))
    setImmediate(() => controller.abort(enough))
    expect(await reading).toBe(enough)
    await eventually(() => expect(server.connections[0]?.destroyed).toBe(true))
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })

  it('by its signal before the response gets the reason of the abort', async () => {
    const controller = new AbortController()
    const server = await serverThat(() => controller.abort(enough))
    expect(await outcomeOf(ask(server, controller.signal))).toBe(enough)
    expect(server.heard).toHaveLength(1)
  })

  it('after the end affects no other request', async () => {
    const controller = new AbortController()
    const server = await serverThat(({ socket }) => void socket.write(answerText('whole')))
    const agent = agentOf(server)
    expect(await textOf(await ask(server, controller.signal, { agent }))).toBe('whole')
    await eventually(() => expect(Object.values(agent.freeSockets).flat()).toHaveLength(1))
    const next = ask(server, never, { agent })
    controller.abort(enough)
    expect(await textOf(await next)).toBe('whole')
    expect(server.heard).toHaveLength(2)
    expect(server.connections).toHaveLength(1)
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })
})
