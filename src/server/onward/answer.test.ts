import { Duplex, PassThrough } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { monotonicClock } from '../../base/clock.ts'
import { passedAnswer } from './answer.ts'

const pieces = 20_000

it('an answer that is read as a whole yields to the event loop, however small its pieces are', async () => {
  const body = new PassThrough({ highWaterMark: pieces })
  for (let piece = 0; piece < pieces; piece++) body.write('x')
  body.end()
  let isOver = false
  let turns = 0
  const answered = passedAnswer(
    { form: 'answer', status: 200, headers: ['content-length', String(pieces)], body },
    'GET',
    [],
  )
  const counting = async () => {
    while (!isOver) {
      turns += 1
      await nextTurn()
    }
  }
  const counted = counting()
  const { body: whole } = await answered
  isOver = true
  await counted
  expect(whole).toHaveLength(pieces)
  expect(pieces / turns).toBeLessThan(300)
})

const tunnels = 100
const closingMs = 1

/** A connection that takes a while to close, as one of TLS does. */
class SlowToClose extends Duplex {
  readonly received: string[] = []

  override _read(): void {}

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.received.push(chunk.toString())
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const endMs = monotonicClock.now() + closingMs
    while (monotonicClock.now() < endMs);
    done(error)
  }
}

it('a cut stops the bytes of all tunnels at once, and closes them over many turns', async () => {
  const cut = new AbortController()
  const open = Array.from({ length: tunnels }, () => {
    const [client, connection] = [new SlowToClose(), new SlowToClose()]
    connection.on('error', () => {})
    return { client, connection }
  })
  for (const { client, connection } of open) {
    const { body } = await passedAnswer({ form: 'upgraded', headers: [], protocol: 'websocket', connection }, 'GET', [
      cut.signal,
    ])
    if (typeof body !== 'object' || !('form' in body) || body.form !== 'upgrade') expect.fail('no upgrade')
    body.start(client)
  }
  cut.abort()
  for (const { client, connection } of open) {
    client.push('late')
    connection.push('late')
  }
  let turns = 0
  while (open.some(({ client, connection }) => !client.destroyed || !connection.destroyed)) {
    turns += 1
    await nextTurn()
  }
  expect(turns).toBeGreaterThan(10)
  expect(open.flatMap(({ client, connection }) => [...client.received, ...connection.received])).toEqual([])
})
