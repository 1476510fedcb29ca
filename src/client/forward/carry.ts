import type { Readable, Writable } from 'node:stream'
import { paceOf } from './pace-stream.ts'

/** What has come is passed on at once when there is so much of it, and otherwise with the turn of the event loop. */
const flushBytes = 128 * 1024

/**
 * Bytes of one side for the other, no faster than it takes them, and no more in one turn than others can wait for. They come in
 * pieces as small as the records of TLS: what comes in one turn is one write.
 */
export function carry(from: Readable, to: Writable): void {
  const pace = paceOf(from)
  let corkedBytes = 0
  const flush = () => {
    if (corkedBytes === 0) return
    corkedBytes = 0
    to.uncork()
    if (to.writableNeedDrain) pace.hold(drained(to))
  }
  from.on('data', (chunk: Buffer) => {
    if (to.destroyed || to.writableEnded) return from.pause()
    if (corkedBytes === 0) {
      to.cork()
      setImmediate(flush)
    }
    corkedBytes += chunk.length
    to.write(chunk)
    if (corkedBytes >= flushBytes) flush()
    pace.count()
  })
  from.once('end', () => to.end())
}

/** One that has gone takes nothing any more; what came from the other side goes with it. */
function drained(to: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (to.destroyed) return
    to.once('drain', resolve)
  })
}
