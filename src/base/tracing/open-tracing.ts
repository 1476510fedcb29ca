import type { Tracing } from './tracing.ts'

/** Where traces are sent, according to the variables that OpenTelemetry defines. Undefined: nowhere. */
export function tracesUrl(env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return undefined
  const own = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT
  if (own) return own
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT
  return base ? `${base.replace(/\/+$/, '')}/v1/traces` : undefined
}

/** How long spans are collected before they are sent. */
const usualDelayMs = 1_000

/** Loaded only if traces are exported. `service` names the spans unless OTEL_SERVICE_NAME does. */
export async function openTracing(
  env: Readonly<Record<string, string | undefined>>,
  service: string,
): Promise<Tracing | undefined> {
  const url = tracesUrl(env)
  if (url === undefined) return undefined
  const { otlpTracing } = await import('./otlp-tracing.ts')
  const delayMs = Number(env.OTEL_BSP_SCHEDULE_DELAY)
  return otlpTracing(url, env.OTEL_SERVICE_NAME || service, delayMs > 0 ? delayMs : usualDelayMs)
}
