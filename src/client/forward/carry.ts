import type { Readable, Writable } from 'node:stream'
import { shareOfTurn } from '../../base/concurrency/shared-turns.ts'
import { giveUp } from './give-up.ts'
import { paceOf } from './pace-stream.ts'
import { wasCut } from './was-cut.ts'

/** Above this size, arrived data is forwarded at once, otherwise at the end of the event loop's iteration. */
const flushBytes = 128 * 1024

/**
 * Copies bytes from one side to the other, no faster than it accepts them, and no more per iteration of the event loop
 * than others can wait for. Data arrives in pieces as small as TLS records, so the pieces of one iteration are joined:
 * each write takes memory while it waits, however small it is. What was cut on one side is cut on the other.
 */
export function carry(from: Readable, to: Writable): void {
  const pace = paceOf(from)
  let arrived: Buffer[] = []
  let arrivedBytes = 0
  const flush = () => {
    if (arrivedBytes === 0) return
    const piece = joined(arrived)
    arrived = []
    arrivedBytes = 0
    if (to.destroyed || to.writableEnded) return
    if (!to.write(piece)) pace.hold(drained(to))
  }
  from.on('data', (chunk: Buffer) => {
    if (to.destroyed || to.writableEnded) return from.pause()
    if (arrivedBytes === 0) setImmediate(flush)
    arrived.push(chunk)
    arrivedBytes += chunk.length
    if (arrivedBytes >= flushBytes) flush()
    pace.count()
  })
  from.once('end', () => {
    if (wasCut(from)) return giveUp(to)
    void shareOfTurn(ends).then(() => {
      flush()
      to.end()
    })
  })
}

function joined(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks)
}

/** All that end, which together take the turns of one party: a thousand connections may end at the same moment. */
const ends = {}

/** A closed receiver accepts nothing more; data from the other side is dropped with it. */
function drained(to: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (to.destroyed) return
    to.once('drain', resolve)
  })
}
