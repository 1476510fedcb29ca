import type { Readable } from 'node:stream'
import { ByteCollector } from '../../base/byte-collector.ts'
import { unreadable } from './answer-problem.ts'

/** After `manyPieces`, pieces must hold `leastBytes` on average: each of them takes time, however small it is. */
const manyPieces = 1_000
const leastBytes = 32

/** The body of an answer whose size and time the caller limits. Rejects a body that arrives in very many small pieces. */
export function collectedBody(body: Readable, origin: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const collected = new ByteCollector()
    let pieces = 0
    let bytes = 0
    body.on('data', (piece: Buffer) => {
      pieces += 1
      bytes += piece.length
      if (pieces > manyPieces && bytes < pieces * leastBytes) {
        body.destroy(unreadable(origin, 'sends its answer in pieces that are far too small'))
      } else collected.add(piece)
    })
    body.once('end', () => resolve(collected.take()))
    body.once('error', reject)
  })
}
