/**
 * Aborts when the time is up, or with one of the signals. On Node 20 an `AbortSignal.timeout` that only
 * `AbortSignal.any` references is garbage-collected and never fires; here the timer itself holds the signal.
 */
export function withinTime(timeoutMs: number, ...signals: readonly AbortSignal[]): AbortSignal {
  const late = new AbortController()
  setTimeout(() => late.abort(new DOMException('The time for it is up', 'TimeoutError')), timeoutMs).unref()
  return AbortSignal.any([late.signal, ...signals])
}
