import { Fifo } from '../../base/fifo.ts'

const waiting = new Fifo<() => void>()

/**
 * Resolves in a turn of the event loop that no other caller of this gets. A piece of a body takes time however small it is, and a
 * server may send a hundred thousand of them at once, on a thousand connections.
 */
export function turnOfOneBody(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.size === 1) setImmediate(next)
  })
}

function next(): void {
  waiting.shift()?.()
  if (waiting.size > 0) setImmediate(next)
}
