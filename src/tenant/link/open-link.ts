import { type IncomingMessage, request } from 'node:http'
import type { Duplex } from 'node:stream'
import { linkProtocol, processHeader, proofHeader, toldLicenseHeader } from '../../api/link.ts'
import { type ReadLicense, readToldLicense } from '../../api/told-license.ts'
import { refusalOf as answeredRefusal } from '../../client/answer-body.ts'
import { pathPrefix } from '../../client/connection/address.ts'
import { openConnection, type ServerEndpoint } from '../../client/connection/connect.ts'
import { connectionFailure } from '../../client/connection/connection-failure.ts'
import { CollectedAnswer } from '../../client/pool/collected-answer.ts'
import { whenWritten } from './when-written.ts'

const answerTimeoutMs = 15_000
const longestRefusal = 64 * 1024

export interface LinkDial {
  readonly endpoint: ServerEndpoint
  /** The path of the virtual cluster's object. */
  readonly path: string
  readonly accessKey: string
  /** Absent if the platform issues none. */
  readonly proof: string | undefined
  readonly processName: string
  readonly userAgent: string
}

export interface OpenedLink {
  readonly connection: Duplex
  /** What the platform reports about its license. */
  readonly license: ReadLicense
}

/** Opens the connection and asks the platform to accept it as the link. Refusals are thrown as ApiError. */
export async function openLink(dial: LinkDial): Promise<OpenedLink> {
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
    asking.once('upgrade', ({ headers }, upgraded, head) => {
      if (head.length > 0) upgraded.unshift(head)
      const license = readToldLicense(textOf(headers[toldLicenseHeader]))
      whenWritten(upgraded, (isOpen) => {
        clearTimeout(timer)
        if (isOpen) resolve({ connection: upgraded, license })
        else fail('it closed the connection')
      })
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

function textOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined
}

/** The error in the platform's answer. */
async function refusalOf(answer: IncomingMessage, origin: string): Promise<Error> {
  const { statusCode: status = 0, headers } = answer
  const collected = new CollectedAnswer({ origin, maxBytes: longestRefusal })
  collected.begin(status, headers)
  for await (const chunk of answer) collected.add(chunk)
  return status < 300
    ? connectionFailure(origin, 'it does not take the connection as a link')
    : answeredRefusal(collected.whole(), origin)
}
