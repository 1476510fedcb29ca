import type { IncomingHttpHeaders } from 'node:http'

/** How long the server asks clients to wait, in seconds. API servers never send a date. */
export function retryAfterSeconds({ 'retry-after': header }: IncomingHttpHeaders): number | undefined {
  const seconds = Number(header)
  return header === undefined || header.trim() === '' || !Number.isFinite(seconds) || seconds < 0 ? undefined : seconds
}
