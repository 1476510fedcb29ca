import { once } from 'node:events'
import { duplexPair } from 'node:stream'
import { expect, it } from 'vitest'
import { join } from './join.ts'

it('streams that end at the same time are closed over several iterations of the event loop, not in the current one', async () => {
  const pairs = Array.from({ length: 50 }, () => {
    const [client, left] = duplexPair({ allowHalfOpen: false })
    const [server, right] = duplexPair({ allowHalfOpen: false })
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
