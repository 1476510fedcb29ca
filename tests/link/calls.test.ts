import { type Duplex, duplexPair } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { Calling } from '../../src/client/forward/calls/calling.ts'
import { encodeFrame } from '../../src/client/forward/calls/frame.ts'
import type { ForwardAnswer, ForwardRequest } from '../../src/client/forward/contract.ts'
import type { CallReply } from '../../src/server/transport/incoming-call.ts'
import { AnsweredCalls } from '../../src/tenant/link/answered-calls.ts'
import type { LinkCall } from '../../src/tenant/link/contract.ts'

const elsewhere: ForwardAnswer = { form: 'whole', status: 200, headers: [], body: Buffer.from('elsewhere') }

function pair(serve: (call: LinkCall, reply: CallReply) => () => void, fetchElsewhere = async () => elsewhere) {
  const [near, far] = duplexPair()
  const count = { open: 0 }
  const calling = new Calling({ stream: near, fetchElsewhere })
  const begun = () => {
    count.open += 1
  }
  const ended = () => {
    count.open -= 1
  }
  new AnsweredCalls({ stream: far, serve, onBegin: begun, onEnd: ended })
  return { calling, near, far, count }
}

function asking(url: string, more: Partial<ForwardRequest> = {}): ForwardRequest {
  const { signal } = new AbortController()
  const headers = ['accept', 'a', 'accept', 'b', 'user-agent', 'one', 'user-agent', 'two']
  return { method: 'GET', url, headers, body: undefined, upgrade: undefined, signal, ...more }
}

const echo = ({ url, headers, body }: LinkCall, reply: CallReply) => {
  reply.whole(200, ['X-Headers', JSON.stringify(headers)], Buffer.concat([Buffer.from(url), body]))
  return () => {}
}

function lone(answer: (far: Duplex) => void) {
  const [near, far] = duplexPair()
  far.once('data', () => answer(far))
  return { calling: new Calling({ stream: near, fetchElsewhere: async () => elsewhere }), near }
}

describe('calls', () => {
  it('are answered each with its own, however many there are at once', async () => {
    const { calling, count } = pair(echo)
    const bodies = Array.from({ length: 500 }, (_, index) => Buffer.alloc(index * 4, 'x'))
    const answers = await Promise.all(bodies.map((body, index) => calling.forward(asking(`/${index}`, { body }))))
    expect(answers.map((answer) => (answer?.form === 'whole' ? answer.body.length : undefined))).toEqual(
      bodies.map((body, index) => `/${index}`.length + body.length),
    )
    expect(count.open).toBe(0)
  })

  it('carry headers as a connection would', async () => {
    const { calling } = pair(echo)
    const answer = await calling.forward(asking('/'))
    expect(JSON.parse(answer?.headers[1] ?? '')).toEqual({ accept: 'a, b', 'user-agent': 'one' })
  })

  it.each([
    ['an upgrade', { upgrade: 'websocket' }],
    ['a watch', { url: '/api/v1/pods?watch=true' }],
    ['a HEAD', { method: 'HEAD' }],
    ['a body that is still coming', { body: duplexPair()[0] }],
    ['a large body', { body: Buffer.alloc(300_000) }],
  ])('are not made for %s', (_, more) => {
    expect(pair(echo).calling.forward(asking('/', more))).toBeUndefined()
  })

  it('have long answers fetched elsewhere', async () => {
    const { calling } = pair((_, reply) => {
      reply.onStream(() => {})
      return () => {}
    })
    expect(await calling.forward(asking('/'))).toBe(elsewhere)
  })

  it('whose long answer nobody fetches are given up on the other side', async () => {
    const { calling, count } = pair(
      (_, reply) => {
        reply.onStream(() => {})
        return () => {}
      },
      () => Promise.reject(new Error('gone meanwhile')),
    )
    await expect(calling.forward(asking('/'))).rejects.toThrow('gone meanwhile')
    await expect.poll(() => count.open).toBe(0)
  })

  it('that are given up are given up on the other side', async () => {
    let isGivenUp = false
    const { calling, count } = pair(() => () => {
      isGivenUp = true
    })
    const gone = new AbortController()
    const answer = calling.forward(asking('/', { signal: gone.signal }))
    await expect.poll(() => count.open).toBe(1)
    gone.abort()
    await expect(answer).rejects.toThrow('given up')
    await expect.poll(() => isGivenUp).toBe(true)
    expect(count.open).toBe(0)
  })

  it('end with the connection, on both sides', async () => {
    const { calling, near, far, count } = pair(() => () => {})
    const answer = calling.forward(asking('/'))
    await expect.poll(() => count.open).toBe(1)
    near.destroy()
    far.destroy()
    await expect(answer).rejects.toThrow('cut')
    await expect.poll(() => count.open).toBe(0)
  })

  it('that are answered with headers which are none fail alone', async () => {
    const head = { status: 200, headers: ['x', 'one\r\nset-cookie: two'] }
    const { calling, near } = lone((far) => far.write(encodeFrame('answer', 1, head)))
    await expect(calling.forward(asking('/'))).rejects.toThrow('no answer of an API server')
    expect(near.destroyed).toBe(false)
  })

  it('that are answered with nonsense end all of them', async () => {
    const { calling, near } = lone((far) => far.write('HTTP/1.1 200 OK\r\n\r\n'))
    await expect(calling.forward(asking('/'))).rejects.toThrow('cut')
    expect(near.destroyed).toBe(true)
  })
})
