import type { Readable, Writable } from 'node:stream'
import { paceOf } from './pace-stream.ts'

/** Bytes of one side for the other, no faster than it takes them, and no more in one turn than others can wait for. */
export function carry(from: Readable, to: Writable): void {
  const pace = paceOf(from)
  from.on('data', (chunk: Buffer) => {
    if (to.destroyed || to.writableEnded) return from.pause()
    if (!to.write(chunk)) pace.hold(drained(to))
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
