/**
 * Aborts when the time is up, or with one of the signals. On Node 20 a signal of `AbortSignal.timeout` that only
 * `AbortSignal.any` knows is collected as garbage, and the time is never up; here the timer itself holds it.
 */
export function withinTime(timeoutMs: number, ...signals: readonly AbortSignal[]): AbortSignal {
  const late = new AbortController()
  setTimeout(() => late.abort(new DOMException('The time for it is up', 'TimeoutError')), timeoutMs).unref()
  return AbortSignal.any([late.signal, ...signals])
}
