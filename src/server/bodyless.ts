/** Whether an answer ends with its head, even if a handler gave it a body (RFC 9110, 6.4.1). */
export function endsWithHead(method: string, status: number): boolean {
  return method === 'HEAD' || status < 200 || status === 204 || status === 205 || status === 304
}

/** Those whose head may not state a length either, because there is no body that it could describe. */
export function hasNoLength(status: number): boolean {
  return status < 200 || status === 204 || status === 205
}
