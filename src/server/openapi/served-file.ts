import { createHash } from 'node:crypto'
import type { Steps } from '../../base/pace.ts'
import type { ServedFile } from '../contract.ts'

/** A document as it is sent, with the hash of its content. */
export function* servedFile(making: Steps<readonly Buffer[]>): Steps<ServedFile> {
  const pieces = yield* making
  const hashing = createHash('sha512')
  for (const piece of pieces) {
    hashing.update(piece)
    yield
  }
  const hash = hashing.digest('hex').toUpperCase()
  return { body: Buffer.concat(pieces), hash, etag: `"${hash}"` }
}
