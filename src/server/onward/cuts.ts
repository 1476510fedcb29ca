import { setMaxListeners } from 'node:events'

/**
 * Calls `cut` when any of the signals aborts, at once if one already has. The returned function removes the listeners.
 */
export function cutBy(signals: readonly (AbortSignal | undefined)[], cut: () => void): () => void {
  const given = signals.filter((signal) => signal !== undefined)
  for (const signal of given) {
    // One signal cuts any number of requests.
    setMaxListeners(0, signal)
    signal.addEventListener('abort', cut, { once: true })
  }
  if (given.some((signal) => signal.aborted)) cut()
  return () => {
    for (const signal of given) signal.removeEventListener('abort', cut)
  }
}
