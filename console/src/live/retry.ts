const shortestMs = 500
const longestMs = 10_000

export function retryDelayMs(failures: number): number {
  return Math.min(shortestMs * 2 ** (failures - 1), longestMs)
}

/** Ends early when the signal aborts, or when the browser is online again. */
export function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      window.removeEventListener('online', finish)
      resolve()
    }
    const timer = setTimeout(finish, delayMs)
    signal.addEventListener('abort', finish)
    window.addEventListener('online', finish)
  })
}
