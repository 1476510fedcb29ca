import { setMaxListeners } from 'node:events'
import { say } from '../output/messages.ts'
import type { Terminal } from './terminal.ts'

/** The user stopped the command, which then put things in order. */
export class Interrupted extends Error {
  constructor() {
    super('interrupted')
    this.name = 'Interrupted'
  }
}

const signals = ['SIGINT', 'SIGTERM'] as const

/** Runs `act`, and aborts it when the process is asked to stop. When asked again, the process ends at once. */
export async function interruptible<T>(terminal: Terminal, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interruption = new AbortController()
  // Many requests wait for it at once, which Node takes for a leak, with a warning on the terminal.
  setMaxListeners(0, interruption.signal)
  const stop = () => {
    forget()
    say(terminal, 'Interrupted: putting things in order; a second Ctrl-C ends it at once, and leaves them as they are')
    interruption.abort(new Interrupted())
  }
  const forget = () => {
    for (const signal of signals) process.off(signal, stop)
  }
  for (const signal of signals) process.on(signal, stop)
  try {
    return await act(interruption.signal)
  } finally {
    forget()
  }
}

/** Whether an error comes from an interruption, possibly with more to say. */
export function isInterruption(error: unknown): boolean {
  return error instanceof Error && (error instanceof Interrupted || isInterruption(error.cause))
}
