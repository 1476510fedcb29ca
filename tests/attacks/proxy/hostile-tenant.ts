import type { OutgoingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import { inside, link, startLinkPlatform, type TestLink, tenantKey } from '../../link/support.ts'
import type { TestPlatform } from '../../platform/platform.ts'
import type { TestServerOptions } from '../../support/clusters/api-server.ts'

/** The answer of a hostile virtual cluster to every request, from now on. */
export type Say = (stream: ServerHttp2Stream) => void

export interface HostileTenant {
  readonly platform: TestPlatform
  /** The path of its API on the platform. */
  readonly base: string
  say(say: Say): void
  /** Resolves when the platform has aborted the stream of the last answer. */
  givenUp(): Promise<void>
  stop(): Promise<void>
}

/** A platform, and a linked virtual cluster that sends arbitrary HTTP/2. */
export async function startHostileTenant(options: TestServerOptions = {}): Promise<HostileTenant> {
  const platform = await startLinkPlatform(options)
  const { url, authority } = platform.server
  let current: Say = (stream) => stream.end()
  let closed: Promise<void> = Promise.resolve()
  const linked: TestLink = link({
    accessKey: await tenantKey(platform, 'hostile'),
    url,
    authority,
    virtualApi: {
      serve: ({ stream }) => {
        stream.on('error', () => {})
        closed = new Promise((resolve) => stream.once('close', () => resolve()))
        current(stream)
      },
      bindClusterRole: async () => {},
    },
  })
  await linked.linked()
  return {
    platform,
    base: inside('dev'),
    say: (next) => {
      current = next
    },
    givenUp: () => closed,
    stop: async () => {
      await linked.stop()
      await platform.stop()
    },
  }
}

export function answering(headers: OutgoingHttpHeaders, body = '{}'): Say {
  return (stream) => {
    stream.respond({ ':status': 200, ...headers })
    stream.end(body)
  }
}

/** An endless body, with any headers. */
export function endless(headers: OutgoingHttpHeaders): Say {
  return (stream) => {
    stream.respond({ ':status': 200, ...headers })
    const chunk = Buffer.alloc(16 * 1024, 'x')
    const more = () => {
      while (!stream.destroyed && stream.write(chunk));
    }
    stream.on('drain', more)
    more()
  }
}
