/** Whether an answer ends with its head, even if a handler gave it a body (RFC 9110, 6.4.1). */
export function endsWithHead(method: string, status: number): boolean {
  return method === 'HEAD' || status < 200 || status === 204 || status === 205 || status === 304
}

/** Statuses whose head must not state a length either, because there is no body to describe. */
export function hasNoLength(status: number): boolean {
  return status < 200 || status === 204 || status === 205
}
