import type { Registry } from 'prom-client'
import type { Handler } from '../exchange.ts'
import type { Fairness } from '../fairness/fairness.ts'
import { fairnessText } from './fairness-text.ts'
import type { RequestMetrics } from './request-metrics.ts'

export interface Gauges {
  readonly fairness: Fairness
  readonly watches: () => number
  readonly watchEvents: () => number
}

export function metricsHandler(requests: RequestMetrics, gauges: Gauges, more?: () => Promise<string>): Handler {
  let process: Promise<Registry> | undefined
  return async () => {
    process ??= processMetrics()
    const registry = await process
    const text = `${requests.render()}${gaugeText(gauges)}${await registry.metrics()}${(await more?.()) ?? ''}`
    const headers = ['Cache-Control', 'no-cache, private', 'Content-Type', 'text/plain; version=0.0.4; charset=utf-8']
    return { status: 200, headers, body: Buffer.from(text) }
  }
}

/** Loaded when first read: a server that nobody scrapes starts faster. */
async function processMetrics(): Promise<Registry> {
  const { collectDefaultMetrics, Registry } = await import('prom-client')
  const register = new Registry()
  collectDefaultMetrics({ register })
  return register
}

function gaugeText({ fairness, watches, watchEvents }: Gauges): string {
  return [
    ...fairnessText(fairness),
    '# HELP apiserver_longrunning_requests Watches that are open.',
    '# TYPE apiserver_longrunning_requests gauge',
    `apiserver_longrunning_requests{verb="watch"} ${watches()}`,
    '# HELP apiserver_watch_events_total Events sent to watchers.',
    '# TYPE apiserver_watch_events_total counter',
    `apiserver_watch_events_total ${watchEvents()}`,
    '',
  ].join('\n')
}
