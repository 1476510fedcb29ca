/** Whether an answer ends with its head, whatever anybody put behind it (RFC 9110, 6.4.1). */
export function endsWithHead(method: string, status: number): boolean {
  return method === 'HEAD' || status < 200 || status === 204 || status === 205 || status === 304
}

/** Those whose head may not tell a length either: nobody would have sent so much. */
export function hasNoLength(status: number): boolean {
  return status < 200 || status === 204 || status === 205
}
