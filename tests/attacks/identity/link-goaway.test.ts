import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { controlPath } from '../../../src/api/link.ts'
import { monotonicClock } from '../../../src/base/clock.ts'
import { LinkSession } from '../../../src/tenant/link/session.ts'
import { flags, goaway, headers, preface, requestFields, settings } from '../transport/support/frames.ts'

/** Decision 27: Node must not refuse, while it reads, streams that follow a GOAWAY in the same bytes. */
test('a tenant leaves a platform that sends GOAWAY and more requests, and resets no stream while Node reads', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const [[connection], platform] = await Promise.all([once(server, 'connection'), connect(port, '127.0.0.1')])
  const served: number[] = []
  const ended = new Promise<string>((resolve) => {
    new LinkSession({
      connection,
      elapsed: monotonicClock,
      virtualApi: {
        serve: ({ stream }) => {
          served.push(stream.id ?? 0)
          stream.respond({ ':status': 200 }, { endStream: true })
        },
        bindClusterRole: async () => {},
      },
      onRefusedKey: () => {},
      onLeave: () => {},
      onEnd: ({ reason }) => resolve(reason),
    })
  })
  const asking = (stream: number) =>
    headers(stream, requestFields('GET', '/version', '', [['impersonate-user', 'ann']]))
  platform.resume()
  platform.write(
    Buffer.concat([
      ...[preface, settings(), headers(1, requestFields('POST', controlPath, ''), flags.none)],
      ...[asking(3), goaway(), asking(5), asking(7)],
    ]),
  )
  expect(await ended).toBe('ConnectionLost')
  expect(served).toEqual([3, 5, 7])
  platform.destroy()
  server.close()
})
