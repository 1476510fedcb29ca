import { getEventListeners } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { requestText } from '../../../src/client/http1/request-text.ts'
import { type StreamedAnswer, streamedAnswer } from '../../../src/client/http1/streamed-answer.ts'
import { eventually } from '../../support/eventually.ts'
import { answerText, type ExampleServer, type HeardRequest, startExampleServer } from './example-server.ts'

const chunkedHead = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
const lastChunk = '0\r\n\r\n'
const request = requestText({ method: 'GET', path: '/', host: 'example', headers: {} })
const enough = new Error('enough')

async function serverThat(onRequest: (heard: HeardRequest) => void): Promise<ExampleServer> {
  const server = await startExampleServer(onRequest)
  onTestFinished(() => server.stop())
  return server
}

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

describe('an answer that is read as it comes', () => {
  it('gives each part as soon as it is there', async () => {
    const server = await serverThat(({ socket }) => void socket.write(`${chunkedHead}${chunk('0')}`))
    const answer = await streamedAnswer(server.pool(), request, never)
    expect(answer).toMatchObject({ status: 200, headers: { 'transfer-encoding': 'chunked' } })
    const read: string[] = []
    for await (const part of answer.chunks) {
      read.push(part.toString())
      server.connections[0]?.write(read.length < 5 ? chunk(String(read.length)) : lastChunk)
    }
    expect(read).toEqual(['0', '1', '2', '3', '4'])
  })

  it('leaves its connection to the next', async () => {
    const server = await serverThat(({ socket }) => void socket.write(answerText('a text')))
    const pool = server.pool()
    for (let count = 0; count < 5; count++)
      expect(await (await streamedAnswer(pool, request, never)).text()).toBe('a text')
    expect(server.connections).toHaveLength(1)
  })

  it('that breaks gives what had come, and then the failure', async () => {
    const server = await serverThat(({ socket }) => void socket.end(`${chunkedHead}${chunk('first')}`))
    const answer = await streamedAnswer(server.pool(), request, never)
    const read: string[] = []
    const reading = (async () => {
      for await (const part of answer.chunks) read.push(part.toString())
    })()
    await expect(reading).rejects.toThrow('the connection was cut')
    expect(read).toEqual(['first'])
  })

  it('may pause for as long as it likes', async () => {
    const server = await serverThat(({ socket }) => {
      socket.write(chunkedHead)
      setTimeout(() => socket.write(`${chunk('late')}${lastChunk}`), 150)
    })
    const answer = await streamedAnswer(server.pool({ answerTimeoutMs: 50 }), request, never)
    expect(await answer.text()).toBe('late')
  })

  it('has to begin in time', async () => {
    const server = await serverThat(() => {})
    const asked = streamedAnswer(server.pool({ answerTimeoutMs: 50 }), request, never)
    await expect(asked).rejects.toThrow('gave no answer within 0.05 s')
  })

  it('has to go on in time if it is a refusal', async () => {
    const server = await serverThat(
      ({ socket }) => void socket.write(answerText('refused').slice(0, -1).replace('200', '403')),
    )
    const answer = await streamedAnswer(server.pool({ answerTimeoutMs: 50 }), request, never)
    await expect(answer.text()).rejects.toThrow('stopped in the middle of an answer')
  })

  it('is no text if it is endless', async () => {
    const part = Buffer.from(chunk('x'.repeat(64 * 1024)))
    const server = await serverThat(({ socket }) => {
      const more = () => void (socket.writable && (socket.write(part) ? setImmediate(more) : undefined))
      socket.on('drain', more).write(chunkedHead)
      more()
    })
    const answer = await streamedAnswer(server.pool(), request, never)
    await expect(answer.text()).rejects.toThrow('larger than')
    await eventually(() => expect(server.connections[0]?.destroyed).toBe(true))
  })
})

describe('a reader that is slow', () => {
  const large = 32 * 1024 * 1024
  const text = chunk('x'.repeat(large))

  it('holds back the server, and gets everything, also what came with the end', async () => {
    const server = await serverThat(({ socket }) => void socket.end(`${chunkedHead}${text}${lastChunk}`))
    const sockets: Socket[] = []
    const open = () =>
      new Promise<Socket>((resolve) => {
        const socket = connect(server.port, '127.0.0.1', () => resolve(socket))
        sockets.push(socket)
      })
    const answer = await streamedAnswer(server.pool({ open }), request, never)
    const read = () => sockets[0]?.bytesRead ?? 0
    await eventually(async () => {
      const before = read()
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect(read()).toBe(before)
    })
    expect(read()).toBeLessThan(large / 2)
    expect(await bytesOf(answer)).toBe(large)
  })

  it('gets everything, though others use the connection already', async () => {
    const size = 1024 * 1024 + 1
    const server = await serverThat(({ socket }) => void socket.write(answerText('x'.repeat(size))))
    const pool = server.pool({ most: 1 })
    const first = await streamedAnswer(pool, request, never)
    const second = await streamedAnswer(pool, request, never)
    expect(await bytesOf(second)).toBe(size)
    expect(await bytesOf(first)).toBe(size)
    expect(server.connections).toHaveLength(1)
  })

  it('is told of a connection that broke meanwhile', async () => {
    const server = await serverThat(({ socket }) => void socket.write(`${chunkedHead}${text}`))
    const answer = await streamedAnswer(server.pool(), request, never)
    server.connections[0]?.resetAndDestroy()
    expect(await outcomeOf(bytesOf(answer))).toMatchObject({ name: 'ConnectionError' })
  })
})

describe('a reader that leaves', () => {
  const endless = ({ socket }: HeardRequest) => void socket.write(`${chunkedHead}${chunk('a')}`)

  it('ends the connection, and leaves nothing behind on its signal', async () => {
    const { signal } = new AbortController()
    const server = await serverThat(endless)
    const { chunks } = await streamedAnswer(server.pool(), request, signal)
    for await (const _ of chunks) break
    await eventually(() => expect(server.connections[0]?.destroyed).toBe(true))
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('by its signal is woken at once', async () => {
    const controller = new AbortController()
    const server = await serverThat(endless)
    const answer = await streamedAnswer(server.pool(), request, controller.signal)
    const reading = outcomeOf(bytesOf(answer))
    setImmediate(() => controller.abort(enough))
    expect(await reading).toBe(enough)
    await eventually(() => expect(server.connections[0]?.destroyed).toBe(true))
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })

  it('by its signal before there is an answer gets none', async () => {
    const controller = new AbortController()
    const server = await serverThat(() => controller.abort(enough))
    expect(await outcomeOf(streamedAnswer(server.pool(), request, controller.signal))).toBe(enough)
    expect(await outcomeOf(streamedAnswer(server.pool(), request, controller.signal))).toBe(enough)
    expect(server.heard).toHaveLength(1)
  })

  it('after the end disturbs nobody', async () => {
    const controller = new AbortController()
    const server = await serverThat(({ socket }) => void socket.write(answerText('whole')))
    const pool = server.pool()
    expect(await (await streamedAnswer(pool, request, controller.signal)).text()).toBe('whole')
    const next = streamedAnswer(pool, request, never)
    controller.abort(enough)
    expect(await (await next).text()).toBe('whole')
    expect(await outcomeOf(streamedAnswer(pool, request, controller.signal))).toBe(enough)
    expect(server.heard).toHaveLength(2)
    expect(server.connections).toHaveLength(1)
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })
})
