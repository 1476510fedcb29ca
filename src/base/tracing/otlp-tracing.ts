import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { packageVersion } from '../package-version.ts'
import { waitAtMost } from '../pause.ts'
import type { Tracing } from './tracing.ts'

/** How many spans wait while the receiver is unavailable. Further ones are dropped. */
const maxQueueSize = 2_048
const stopMs = 2_000

const parentForm = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-|$)/

export function otlpTracing(url: string, service: string, scheduledDelayMillis: number): Tracing {
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: 5_000, concurrencyLimit: 4 })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.version': packageVersion() }),
    spanProcessors: [new BatchSpanProcessor({ exporter, maxQueueSize, maxExportBatchSize: 512, scheduledDelayMillis })],
  })
  const tracer = provider.getTracer('tenant-platform')
  return {
    start: (kind, parent) => {
      const options = { kind: kind === 'server' ? SpanKind.SERVER : SpanKind.CLIENT }
      const span = tracer.startSpan(kind, options, contextOf(parent))
      const { traceId, spanId, traceFlags } = span.spanContext()
      return {
        traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
        end: (name, attributes, status) => {
          span.updateName(name)
          span.setAttributes(attributes)
          if (status !== undefined) span.setAttribute('http.response.status_code', status)
          if (status === undefined || status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },
    stop: () =>
      waitAtMost(
        stopMs,
        provider.shutdown().catch(() => undefined),
      ),
  }
}

/** An invalid parent starts a new trace. */
function contextOf(parent: string | undefined): Context {
  const [, traceId, spanId, flags] = parentForm.exec(parent ?? '') ?? []
  if (traceId === undefined || spanId === undefined || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return ROOT_CONTEXT
  const traceFlags = Number.parseInt(flags ?? '', 16) & TraceFlags.SAMPLED
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}
