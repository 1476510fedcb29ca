import { type IncomingMessage, request } from 'node:http'
import type { Duplex } from 'node:stream'
import { linkProtocol, processHeader, proofHeader } from '../../api/link.ts'
import { refusalOf as answeredRefusal } from '../../client/answer-body.ts'
import { pathPrefix } from '../../client/connection/address.ts'
import { openConnection, type ServerEndpoint } from '../../client/connection/connect.ts'
import { connectionFailure } from '../../client/connection/connection-failure.ts'
import { CollectedAnswer } from '../../client/pool/collected-answer.ts'

const answerTimeoutMs = 15_000
const longestRefusal = 64 * 1024

export interface LinkDial {
  readonly endpoint: ServerEndpoint
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
      refusalOf(answer, url.origin)
        .then(reject, reject)
        .finally(() => {
          clearTimeout(timer)
          socket.destroy()
        })
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

/** What the platform said instead. */
async function refusalOf(answer: IncomingMessage, origin: string): Promise<Error> {
  const { statusCode: status = 0, headers } = answer
  const collected = new CollectedAnswer({ origin, maxBytes: longestRefusal })
  collected.begin(status, headers)
  for await (const chunk of answer) collected.add(chunk)
  return status < 300
    ? connectionFailure(origin, 'it does not take the connection as a link')
    : answeredRefusal(collected.whole(), origin)
}
