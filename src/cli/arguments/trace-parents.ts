import { Option } from 'commander'
import { openTracing } from '../../base/tracing/open-tracing.ts'
import type { RequestTracing, TraceParents } from '../../server/tracing/trace-exchange.ts'
import type { Terminal } from '../terminal/terminal.ts'

export function traceParentsOption(): Option {
  return new Option(
    '--trace-parents <whose>',
    'whose traceparent headers are used, if traces are sent (OTEL_EXPORTER_OTLP_ENDPOINT)',
  )
    .choices(['none', 'all'])
    .default('none')
}

/** Undefined unless the environment configures tracing. */
export async function tracingOf(
  parents: TraceParents,
  service: string,
  { env }: Terminal,
): Promise<Omit<RequestTracing, 'server'> | undefined> {
  const tracing = await openTracing(env, service)
  return tracing && { tracing, parents }
}
