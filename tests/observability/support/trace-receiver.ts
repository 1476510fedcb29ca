import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  /** The span kind of OTLP: 2 for a server, 3 for a client. */
  readonly kind: number
  readonly attributes: Readonly<Record<string, string | number>>
}

/** Receives traces over OTLP/HTTP. */
export async function startTraceReceiver() {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    if (request.url === '/v1/traces') bodies.push(Buffer.concat(chunks).toString())
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    /** Everything that was sent. */
    text: () => bodies.join('\n'),
    spans: (): readonly ReceivedSpan[] => bodies.flatMap(spansIn),
    stop: () => void server.close().closeAllConnections(),
  }
}

interface OtlpSpan extends Omit<ReceivedSpan, 'attributes'> {
  readonly attributes: readonly { key: string; value: { stringValue?: string; intValue?: number } }[]
}

function spansIn(body: string): readonly ReceivedSpan[] {
  const { resourceSpans } = JSON.parse(body)
  const spans: readonly OtlpSpan[] = resourceSpans.flatMap((resource: { scopeSpans: { spans: OtlpSpan[] }[] }) =>
    resource.scopeSpans.flatMap((scope) => scope.spans),
  )
  return spans.map((span) => ({
    ...span,
    attributes: Object.fromEntries(
      span.attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
    ),
  }))
}
