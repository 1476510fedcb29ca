import { once } from 'node:events'
import { type ClientHttp2Session, connect } from 'node:http2'
import type { Subject } from '../contract.ts'
import type { Asked, Lane } from './lane.ts'

/** How much client-go's transport lets a server send ahead. */
const windows = { stream: 4 * 1024 * 1024, session: 2 ** 30 }

/** Streams of a few connections, as in client-go, by Node's own client. */
export async function openHttp2Lanes(
  subject: Subject,
  { connections, streams }: { readonly connections: number; readonly streams: number },
): Promise<readonly Lane<Asked>[]> {
  const sessions = await Promise.all(Array.from({ length: connections }, () => openSession(subject)))
  return sessions.flatMap((session) => Array.from({ length: streams }, () => new Http2Lane(session, subject)))
}

async function openSession({ host, port, authority: ca }: Subject): Promise<ClientHttp2Session> {
  const settings = { enablePush: false, initialWindowSize: windows.stream }
  const session = connect(`https://${host}:${port}`, { ca, settings })
  await once(session, 'connect')
  session.setLocalWindowSize(windows.session)
  return session
}

class Http2Lane implements Lane<Asked> {
  readonly #session: ClientHttp2Session
  readonly #token: string

  constructor(session: ClientHttp2Session, { token }: Subject) {
    this.#session = session
    this.#token = token
  }

  send({ method, path, body }: Asked, onAnswer: Parameters<Lane<Asked>['send']>[1]): void {
    const head = {
      ':method': method,
      ':path': path,
      authorization: `Bearer ${this.#token}`,
      'user-agent': 'bench/1',
      accept: 'application/json',
    }
    const stream =
      body === undefined
        ? this.#session.request(head)
        : this.#session.request({ ...head, 'content-type': 'application/json' }, { endStream: false })
    let status = 0
    stream.once('response', (headers) => {
      status = headers[':status'] ?? 0
    })
    stream.once('end', () => onAnswer({ status }))
    stream.resume()
    if (body !== undefined) stream.end(body)
  }

  close(): void {
    this.#session.destroy()
  }
}
