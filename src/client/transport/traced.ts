import type { Tracing } from '../../base/tracing/tracing.ts'
import type { TransportRequest } from './contract.ts'

/** Sends a request as its own span, which is passed to the server. It ends when the answer begins to be read. */
export async function traced<Answer extends { readonly status: number }>(
  tracing: Tracing | undefined,
  { hostname }: URL,
  request: TransportRequest,
  send: (request: TransportRequest) => Promise<Answer>,
): Promise<Answer> {
  if (tracing === undefined) return send(request)
  const span = tracing.start('client')
  let status: number | undefined
  try {
    const answer = await send({ ...request, traceparent: span.traceparent })
    status = answer.status
    return answer
  } finally {
    const path = request.path.split('?', 1)[0] ?? ''
    const attributes = { 'http.request.method': request.method, 'url.path': path, 'server.address': hostname }
    span.end(request.method, attributes, status)
  }
}
