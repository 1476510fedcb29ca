import type { Exchange } from '../exchange.ts'

/**
 * The headers of a request that is passed on, with the span that it is part of. What its sender said of a trace goes on only
 * if that is believed. Without tracing, nothing is said here, and the sender's own goes on.
 */
export function withTrace(headers: readonly string[], { span, isParentTrusted }: Exchange): string[] {
  if (span === undefined) return [...headers]
  const replaced = isParentTrusted ? ['traceparent'] : ['traceparent', 'tracestate']
  const others = headers.filter((_, index) => !replaced.includes(headers[index - (index % 2)] ?? ''))
  return [...others, 'traceparent', span.traceparent]
}
