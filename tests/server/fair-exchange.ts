import type { UserInfo } from '../../src/api/access.ts'
import { Exchange } from '../../src/server/exchange.ts'
import type { BodyLimit, Request } from '../../src/server/http.ts'
import { readRequestInfo } from '../../src/server/request/request-info.ts'

export interface Asking {
  readonly name?: string
  readonly groups?: readonly string[]
  readonly key?: string
  readonly address?: string
  readonly url?: string
  readonly method?: string
  readonly readBody?: (limit: BodyLimit) => Promise<Buffer>
}

/** A request in the pipeline whose caller is known. */
export function exchangeOf(asking: Asking = {}): Exchange & { readonly gone: AbortController } {
  const {
    name = 'system:anonymous',
    groups = [],
    key,
    address = '192.0.2.1',
    url = '/version',
    method = 'GET',
  } = asking
  const gone = new AbortController()
  const request: Request = {
    method,
    url,
    headers: {},
    rawHeaders: [],
    httpVersion: '1',
    peer: { remoteAddress: address, localAddress: '', certificateSubject: undefined },
    clientAddress: address,
    signal: gone.signal,
    get isGone() {
      return gone.signal.aborted
    },
    readBody: asking.readBody ?? (async () => Buffer.alloc(0)),
    openBody: () => undefined,
  }
  const exchange = new Exchange(request, 'id', { atMs: 0, elapsedMs: 0 })
  const caller: UserInfo = { name, groups, ...(key === undefined ? {} : { credential: credentialOf(key) }) }
  return Object.assign(exchange, { caller, user: caller, info: readRequestInfo(method, url), gone })
}

function credentialOf(key: string) {
  return { keyName: key, keyUid: key, keyId: key, isRevoked: false, revoked: new AbortController().signal }
}
