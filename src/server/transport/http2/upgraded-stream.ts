import type { ServerHttp2Stream } from 'node:http2'
import { upgradeHeader } from '../../../api/link.ts'
import { http2Headers } from '../../../client/forward/http2-headers.ts'
import type { Upgrade } from '../../http.ts'
import { Http2Channel } from './http2-channel.ts'

/** An answer over a link that may switch to another protocol: HTTP/2 has no upgrade, so a header represents it. */
export class UpgradedStreamChannel extends Http2Channel {
  readonly #stream: ServerHttp2Stream

  constructor(stream: ServerHttp2Stream) {
    super(stream)
    this.#stream = stream
  }

  upgrade(_status: number, headers: string[], { start, giveUp }: Upgrade): void {
    const stream = this.#stream
    if (stream.destroyed || stream.closed) {
      giveUp()
      return
    }
    const protocol = headers.find((_, index) => index % 2 === 1 && headers[index - 1] === 'Upgrade') ?? ''
    stream.respond({ ...http2Headers(headers), [upgradeHeader]: protocol, ':status': 200 })
    start(stream)
  }
}
