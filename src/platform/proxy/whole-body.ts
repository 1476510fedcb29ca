import { serviceUnavailable } from '../../api/error.ts'
import type { Pieces, Response, ResponseBody } from '../../server/http.ts'

const mostBytes = 4 * 1024 * 1024

/** Reads an answer completely, to inspect it before it is passed on. */
export function wholeBody({ body }: Response): Promise<Buffer> {
  return Buffer.isBuffer(body) ? Promise.resolve(body) : collected(body)
}

function collected(body: Exclude<ResponseBody, Buffer>): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (body.form === 'pieces') return resolve(joined(body.pieces))
    if (body.form === 'upgrade') return reject(new Error('A connection was to be read as an answer.'))
    const chunks: Buffer[] = []
    let bytes = 0
    const giveUp = () => reject(serviceUnavailable('the answer was cut short, or is too long', 1))
    body.start({
      get isGone() {
        return bytes > mostBytes
      },
      write: (chunk) => {
        bytes += chunk.length
        if (bytes <= mostBytes) return chunks.push(Buffer.from(chunk)) > 0
        giveUp()
        return false
      },
      drained: () => Promise.resolve(),
      end: () => resolve(Buffer.concat(chunks)),
      destroy: giveUp,
    })
  })
}

async function joined(pieces: Pieces['pieces']): Promise<Buffer> {
  const copies: Buffer[] = []
  for await (const piece of pieces) copies.push(Buffer.from(piece))
  return Buffer.concat(copies)
}
