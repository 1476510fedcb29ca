import type { Exchange } from '../exchange.ts'

/**
 * The headers of a forwarded request with its span. The sender's trace context is forwarded only if it is trusted.
 * Without tracing, it is forwarded unchanged.
 */
export function withTrace(headers: readonly string[], { span, isParentTrusted }: Exchange): string[] {
  if (span === undefined) return [...headers]
  const replaced = isParentTrusted ? ['traceparent'] : ['traceparent', 'tracestate']
  const others = headers.filter((_, index) => !replaced.includes(headers[index - (index % 2)] ?? ''))
  return [...others, 'traceparent', span.traceparent]
}
