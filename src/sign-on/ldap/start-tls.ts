import { on } from 'node:events'
import type { Socket } from 'node:net'
import { BerReader, ExtendedRequest, ExtendedResponse, MessageResponseStatus, ProtocolOperation } from 'ldapts'
import { SignOnFailure } from '../failure.ts'
import { isWellFormed, messageLength } from './message-shape.ts'

const startTlsOid = '1.3.6.1.4.1.1466.20037'
const messageId = 1
const longestAnswer = 4_096

/**
 * Requests TLS on a plain connection. Not left to the library, which would keep plain text received after the answer,
 * and read it as the beginning of the TLS data. An attacker in between could answer a bind that way.
 */
export async function startTls(socket: Socket, signal: AbortSignal): Promise<void> {
  socket.write(new ExtendedRequest({ messageId, oid: startTlsOid }).write())
  let received = Buffer.alloc(0)
  for await (const [chunk] of on(socket, 'data', { signal, close: ['end', 'close'] })) {
    received = Buffer.concat([received, chunk])
    if (isStartTlsAnswer(received)) return
  }
  throw new SignOnFailure('unavailable', 'the directory closed the connection when it was asked for TLS')
}

/** False: more must arrive. Throws unless it is exactly one positive answer. */
export function isStartTlsAnswer(bytes: Buffer): boolean {
  const length = messageLength(bytes)
  if (bytes.length > longestAnswer || (length ?? 0) > longestAnswer) throw unexpected('far more than an answer')
  if (length === undefined || bytes.length < length) return false
  if (bytes.length > length) throw unexpected('more than an answer, before the connection was secure')
  if (!isWellFormed(bytes)) throw unexpected('a message that contradicts itself')
  const reader = new BerReader(bytes)
  reader.readSequence()
  if (reader.readInt() !== messageId || reader.readSequence() !== ProtocolOperation.LDAP_RES_EXTENSION) {
    throw unexpected('something else than an answer')
  }
  const answer = new ExtendedResponse({ messageId })
  answer.parse(reader, [])
  if (answer.status === MessageResponseStatus.Success) return true
  throw new SignOnFailure('misconfigured', `the directory refuses StartTLS (code ${answer.status}): use ldaps://`)
}

function unexpected(what: string): SignOnFailure {
  return new SignOnFailure('untrusted', `asked for TLS, the directory sent ${what}`)
}
