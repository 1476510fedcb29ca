import type { Duplex, Readable } from 'node:stream'
import { shareOfTurn } from '../../base/concurrency/shared-turns.ts'
import type { ForwardAnswer } from '../../client/forward/contract.ts'
import { giveUp } from '../../client/forward/give-up.ts'
import { join, stopJoining } from '../../client/forward/join.ts'
import { paceOf } from '../../client/forward/pace-stream.ts'
import type { Response, ResponseBody } from '../http.ts'
import { endsWithHead } from '../responses/bodyless.ts'
import { lengthHeader, passedAnswerHeaders, passedUpgradeHeaders } from './answer-headers.ts'
import { cutBy } from './cuts.ts'
import { headOnly } from './head-only.ts'
import { pump } from './pump.ts'

/** A body up to this size with a stated length is sent in one piece with its head. */
const wholeUpTo = 64 * 1024

/** Turns an upstream's answer to `method` into a response. `cuts`: signals that end it early. */
export async function passedAnswer(
  answer: ForwardAnswer,
  method: string,
  cuts: readonly AbortSignal[],
  headersOf = passedAnswerHeaders,
): Promise<Response> {
  if (answer.form === 'upgraded') {
    const { protocol, connection } = answer
    return {
      status: 101,
      headers: ['Connection', 'Upgrade', 'Upgrade', protocol, ...passedUpgradeHeaders(answer.headers)],
      body: {
        form: 'upgrade',
        source: connection,
        start: (client) => joinUntil(client, connection, cuts),
        giveUp: () => giveUp(connection),
      },
    }
  }
  const { status, body } = answer
  const headers = headersOf(answer.headers)
  const length = lengthIn(headers)
  const told = length === undefined ? withoutLength(headers) : headers
  if (endsWithHead(method, status)) return { status, headers: told, body: headOnly(body, cuts) }
  if (length === undefined || length > wholeUpTo) return { status, headers: told, body: streamOf(body, cuts, length) }
  const whole = await wholeOf(body, cuts, length)
  return { status, headers: withoutLength(headers), body: whole }
}

/** Undefined: no length is stated, or an invalid one. */
function lengthIn(headers: readonly string[]): number | undefined {
  const at = headers.indexOf(lengthHeader)
  const value = at < 0 ? '' : (headers[at + 1] ?? '')
  return /^\d{1,15}$/.test(value) ? Number(value) : undefined
}

/** The length of a complete body is added when it is sent. */
function withoutLength(headers: readonly string[]): readonly string[] {
  return headers.filter((_, index) => headers[index - (index % 2)] !== lengthHeader)
}

/** A body longer than stated would be taken for the beginning of another answer. */
function wholeOf(body: Readable, cuts: readonly AbortSignal[], length: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let left = length
    const forget = cutBy(cuts, () => giveUp(body))
    const pace = paceOf(body)
    body.on('data', (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) return giveUp(body)
      chunks.push(chunk)
      pace.count()
    })
    body.once('end', () => {
      forget()
      if (left === 0) resolve(Buffer.concat(chunks))
      else reject(new BrokenAnswer())
    })
    body.once('close', () => {
      forget()
      if (!body.readableEnded || left !== 0) reject(new BrokenAnswer())
    })
    body.on('error', () => {})
  })
}

/** The rest of an answer did not arrive. */
export class BrokenAnswer extends Error {
  constructor() {
    super('the answer was cut short')
    this.name = 'BrokenAnswer'
  }
}

function streamOf(body: Readable, cuts: readonly AbortSignal[], length: number | undefined): ResponseBody {
  return { form: 'stream', source: body, start: (output) => pump(body, output, cuts, length) }
}

/**
 * A cut stops all bytes at once. The connections are closed in turns: a revoked key may have a thousand, and closing each
 * takes up to half a millisecond.
 */
function joinUntil(client: Duplex, connection: Duplex, cuts: readonly AbortSignal[]): void {
  join(client, connection)
  const forget = cutBy(cuts, () => {
    stopJoining(client, connection)
    void shareOfTurn().then(() => {
      client.destroy()
      giveUp(connection)
    })
  })
  client.once('close', forget)
}
