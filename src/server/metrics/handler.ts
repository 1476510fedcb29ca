import type { Registry } from 'prom-client'
import type { Handler } from '../exchange.ts'
import type { Fairness } from '../fairness/fairness.ts'
import type { Watches } from '../verbs/watches.ts'
import { fairnessText } from './fairness-text.ts'
import type { RequestMetrics } from './request-metrics.ts'

export interface Gauges {
  readonly fairness: Fairness
  readonly watches: Watches
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

/** Loaded on the first read, so that a server that is not scraped starts faster. */
async function processMetrics(): Promise<Registry> {
  const { collectDefaultMetrics, Registry } = await import('prom-client')
  const register = new Registry()
  collectDefaultMetrics({ register })
  return register
}

function gaugeText({ fairness, watches }: Gauges): string {
  return [
    ...fairnessText(fairness),
    '# HELP apiserver_longrunning_requests Watches that are open.',
    '# TYPE apiserver_longrunning_requests gauge',
    `apiserver_longrunning_requests{verb="watch"} ${watches.size}`,
    '# HELP apiserver_watch_events_total Events sent to watchers.',
    '# TYPE apiserver_watch_events_total counter',
    `apiserver_watch_events_total ${watches.eventsSent}`,
    '# HELP tenant_watch_unread_bytes What is held for readers of watches, and of streams that are passed on, who are behind.',
    '# TYPE tenant_watch_unread_bytes gauge',
    `tenant_watch_unread_bytes ${watches.unread.bytes}`,
    '# HELP tenant_watch_cuts_total Watches, and streams that are passed on, that were ended because too much was held for them.',
    '# TYPE tenant_watch_cuts_total counter',
    `tenant_watch_cuts_total ${watches.unread.cuts}`,
    '',
  ].join('\n')
}
