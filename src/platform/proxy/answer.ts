import type { Duplex, Readable } from 'node:stream'
import type { ForwardAnswer } from '../../client/forward/contract.ts'
import { giveUp } from '../../client/forward/give-up.ts'
import { join } from '../../client/forward/join.ts'
import type { Body, Response } from '../../server/http.ts'
import { cutBy } from './cuts.ts'
import { headOnly } from './head-only.ts'
import { passedAnswerHeaders } from './passed-headers.ts'
import { pump } from './pump.ts'

/** A body up to this size that tells its length is sent in one piece with its head. */
const wholeUpTo = 64 * 1024

/** The answer of an API behind to `method`, as the platform's own. `cuts`: what ends it before its time. */
export async function passedAnswer(
  answer: ForwardAnswer,
  method: string,
  cuts: readonly AbortSignal[],
): Promise<Response> {
  const headers = passedAnswerHeaders(answer.headers)
  if (answer.form === 'upgraded') {
    const { protocol, connection } = answer
    return {
      status: 101,
      headers: ['Connection', 'Upgrade', 'Upgrade', protocol, ...headers],
      body: { form: 'upgrade', start: (client) => joinUntil(client, connection, cuts) },
    }
  }
  const { status, body } = answer
  if (method === 'HEAD') return { status, headers, body: headOnly(body) }
  const length = lengthOf(headers)
  if (length === undefined || length > wholeUpTo) return { status, headers, body: streamOf(body, cuts) }
  const whole = await wholeOf(body, cuts)
  return { status, headers: withoutLength(headers), body: whole }
}

function lengthOf(headers: readonly string[]): number | undefined {
  const at = headers.indexOf('Content-Length')
  const value = at < 0 ? '' : (headers[at + 1] ?? '')
  return /^\d{1,15}$/.test(value) ? Number(value) : undefined
}

/** The length of a whole body is told when it is sent. */
function withoutLength(headers: readonly string[]): readonly string[] {
  const at = headers.indexOf('Content-Length')
  if (at < 0) return headers
  return headers.filter((_, index) => index !== at && index !== at + 1)
}

function wholeOf(body: Readable, cuts: readonly AbortSignal[]): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const forget = cutBy(cuts, () => giveUp(body))
    body.on('data', (chunk: Buffer) => chunks.push(chunk))
    body.once('end', () => {
      forget()
      resolve(Buffer.concat(chunks))
    })
    body.once('close', () => {
      forget()
      if (!body.readableEnded) reject(new BrokenAnswer())
    })
    body.on('error', () => {})
  })
}

/** The rest of an answer did not come. */
export class BrokenAnswer extends Error {
  constructor() {
    super('the answer was cut short')
    this.name = 'BrokenAnswer'
  }
}

function streamOf(body: Readable, cuts: readonly AbortSignal[]): Body {
  return { form: 'stream', start: (output) => pump(body, output, cuts) }
}

function joinUntil(client: Duplex, connection: Duplex, cuts: readonly AbortSignal[]): void {
  const forget = cutBy(cuts, () => {
    client.destroy()
    giveUp(connection)
  })
  client.once('close', forget)
  join(client, connection)
}
