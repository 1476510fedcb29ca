/** Runs an action with a deadline. Its signal aborts with `late` then, or with the outer reason. */
export async function withDeadline<T>(
  { ms, late, signal }: { readonly ms: number; readonly late: () => Error; readonly signal: AbortSignal },
  act: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  const controller = new AbortController()
  const stop = () => controller.abort(signal.reason)
  const timer = setTimeout(() => controller.abort(late()), ms)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await act(controller.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}
