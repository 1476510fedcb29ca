import type { Readable } from 'node:stream'
import { ByteCollector } from '../base/byte-collector.ts'

/** Beyond so many pieces, they have to have so many bytes on average: each takes time, however small it is. */
const manyPieces = 1_000
const leastBytes = 32

/** The body of an answer, of which the caller limits size and time. Rejects if it comes in very many small pieces. */
export function wholeAnswer(body: Readable, origin: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const collected = new ByteCollector()
    let pieces = 0
    let bytes = 0
    body.on('data', (piece: Buffer) => {
      pieces += 1
      bytes += piece.length
      if (pieces > manyPieces && bytes < pieces * leastBytes) {
        body.destroy(new Error(`${origin} sends its answer in pieces that are far too small`))
      } else collected.add(piece)
    })
    body.once('end', () => resolve(collected.take()))
    body.once('error', reject)
  })
}
