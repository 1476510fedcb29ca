import { Transform, type TransformCallback } from 'node:stream'
import { carry } from '../../client/forward/carry.ts'
import type { ForwardAnswer } from '../../client/forward/contract.ts'
import { giveUp } from '../../client/forward/give-up.ts'

/**
 * In a page, kube-apiserver rewrites links to the same server, so that they lead through its proxy again. On the host
 * they name the copy, so they are rewritten once more: `onHost` is the beginning of such a link there, and `own` what
 * takes its place.
 */
export function withOwnLinks(answer: ForwardAnswer, onHost: string, own: string): ForwardAnswer {
  if (answer.form !== 'answer' || !isPage(answer.headers)) return answer
  const { body: source } = answer
  const body = new Replacement(Buffer.from(onHost), Buffer.from(own))
  // Each side learns of the other's early end, which is a failure for the reader.
  source.on('error', () => {})
  source.once('close', () => {
    if (!source.readableEnded) giveUp(body)
  })
  body.once('close', () => {
    if (!source.readableEnded) giveUp(source)
  })
  carry(source, body)
  return { ...answer, headers: without(answer.headers, 'content-length'), body }
}

/** Without the header, the program behind the proxy compresses nothing, and links can be found. */
export function withoutEncodings(headers: readonly string[]): readonly string[] {
  return without(headers, 'accept-encoding')
}

function isPage(headers: readonly string[]): boolean {
  const type = headers[headers.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === 'content-type') + 1]
  return type !== undefined && /^text\/html\s*(;|$)/i.test(type)
}

function without(headers: readonly string[], name: string): readonly string[] {
  return headers.filter((_, index) => headers[index - (index % 2)]?.toLowerCase() !== name)
}

/** Replaces each occurrence of a text, also where a piece ends in the middle of it. */
class Replacement extends Transform {
  readonly #from: Buffer
  readonly #to: Buffer
  #rest: Buffer = Buffer.alloc(0)

  constructor(from: Buffer, to: Buffer) {
    super()
    this.#from = from
    this.#to = to
  }

  override _transform(piece: Buffer, _: BufferEncoding, done: TransformCallback): void {
    const data = Buffer.concat([this.#rest, piece])
    let start = 0
    for (let at = data.indexOf(this.#from); at >= 0; at = data.indexOf(this.#from, start)) {
      this.push(data.subarray(start, at))
      this.push(this.#to)
      start = at + this.#from.length
    }
    const end = Math.max(start, data.length - this.#from.length + 1)
    if (end > start) this.push(data.subarray(start, end))
    this.#rest = data.subarray(end)
    done()
  }

  override _flush(done: TransformCallback): void {
    done(null, this.#rest)
  }
}
