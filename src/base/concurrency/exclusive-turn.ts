import { Fifo } from './fifo.ts'

const waiting = new Fifo<() => void>()

/**
 * Resolves in a turn of the event loop that no other caller of this function shares. A chunk of a stream takes time
 * however small it is, and a peer may send a hundred thousand of them at once, over a thousand connections.
 */
export function exclusiveTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.size === 1) setImmediate(next)
  })
}

function next(): void {
  waiting.shift()?.()
  if (waiting.size > 0) setImmediate(next)
}
