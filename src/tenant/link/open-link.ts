import { type IncomingMessage, request } from 'node:http'
import type { Duplex } from 'node:stream'
import { linkProtocol, processHeader, proofHeader } from '../../api/link.ts'
import { bodyOf } from '../../client/answer-body.ts'
import { pathPrefix } from '../../client/connection/address.ts'
import { type Endpoint, openConnection } from '../../client/connection/connect.ts'
import { connectionFailure } from '../../client/connection/connection-failure.ts'

const answerTimeoutMs = 15_000
const longestRefusal = 64 * 1024

export interface LinkDial {
  readonly endpoint: Endpoint
  /** Of the object that stands for the virtual cluster. */
  readonly path: string
  readonly accessKey: string
  /** Absent where the platform issues none. */
  readonly proof: string | undefined
  readonly processName: string
  readonly userAgent: string
}

/** Opens the connection and asks the platform to take it as the link. Refusals are thrown as ApiError. */
export async function openLink(dial: LinkDial): Promise<Duplex> {
  const { url } = dial.endpoint
  const socket = await openConnection(dial.endpoint)
  return new Promise((resolve, reject) => {
    const fail = (reason: unknown) => {
      socket.destroy()
      reject(connectionFailure(url.origin, reason))
    }
    const asking = request({
      createConnection: () => socket,
      path: `${pathPrefix(url)}${dial.path}/link`,
      headers: {
        host: url.host,
        authorization: `Bearer ${dial.accessKey}`,
        'user-agent': dial.userAgent,
        connection: 'Upgrade',
        upgrade: linkProtocol,
        [processHeader]: dial.processName,
        ...(dial.proof !== undefined && { [proofHeader]: dial.proof }),
      },
    })
    const timer = setTimeout(() => fail(`no answer within ${answerTimeoutMs / 1000} s`), answerTimeoutMs)
    asking.once('upgrade', (_answer, upgraded, head) => {
      clearTimeout(timer)
      if (head.length > 0) upgraded.unshift(head)
      whenWritten(upgraded, () => resolve(upgraded))
    })
    asking.once('response', (answer) => {
      clearTimeout(timer)
      refusalOf(answer, url.origin).then(reject, reject)
    })
    asking.once('error', (error) => {
      clearTimeout(timer)
      fail(error)
    })
    asking.end()
  })
}

/** HTTP/2 takes the connection from under Node's streams, so that nothing may be left to be written. */
function whenWritten(connection: Duplex, go: () => void): void {
  if (connection.writableLength === 0) go()
  else setImmediate(() => whenWritten(connection, go))
}

/** Rejects with what the platform said instead. */
async function refusalOf(answer: IncomingMessage, origin: string): Promise<Error> {
  let text = ''
  for await (const chunk of answer.setEncoding('utf8')) {
    text += chunk
    if (text.length > longestRefusal) break
  }
  bodyOf({ status: answer.statusCode ?? 0, headers: answer.headers, text }, origin)
  return connectionFailure(origin, 'it does not take the connection as a link')
}
