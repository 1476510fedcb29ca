import { once } from 'node:events'
import { Duplex, PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { join } from './join.ts'

/** Two ends of one connection: what is written to one is read from the other. */
function connection(): readonly [Duplex, Duplex] {
  const [there, back] = [new PassThrough(), new PassThrough()]
  const ends = { allowHalfOpen: false }
  return [Duplex.from({ readable: back, writable: there }), Duplex.from({ readable: there, writable: back })].map(
    (duplex) => Object.assign(duplex, ends),
  ) as unknown as readonly [Duplex, Duplex]
}

it('what ends at the same moment is ended in turns, and not in the turn in which it is noticed', async () => {
  const pairs = Array.from({ length: 50 }, () => {
    const [client, left] = connection()
    const [server, right] = connection()
    join(left, right)
    return { client, left, right, server }
  })
  const noticed = pairs.map(async ({ left, right }) => {
    await once(left, 'end')
    await new Promise<void>((resolve) => process.nextTick(resolve))
    return left.writableEnded || right.writableEnded
  })
  const over = pairs.map(({ client, server }) =>
    Promise.all([once(client.resume(), 'end'), once(server.resume(), 'end')]),
  )
  for (const { client } of pairs) client.end('last words')
  expect(await Promise.all(noticed)).toEqual(pairs.map(() => false))
  await Promise.all(over)
})
