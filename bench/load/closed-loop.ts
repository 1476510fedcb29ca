import type { Subject } from '../contract.ts'
import { usageOf } from '../servers/usage.ts'
import { quantile, sortedNumbers } from '../statistics.ts'
import { Http1Connection } from './http1-connection.ts'
import type { Lane } from './lane.ts'

export interface Load<Request> {
  /** Returns the next request; called once for each. */
  readonly next: () => Request
  readonly expectedStatus: number
  /** Ends after that many requests, or after that time. */
  readonly limit: { readonly requests: number } | { readonly durationMs: number }
}

export interface LoadResult {
  readonly requests: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Processor time of the server, including its store, per request. */
  readonly serverCpuMicroseconds: number
  /** The share of the time in which the generator was busy: near 1, the generator is what is being measured. */
  readonly generatorBusy: number
}

export const connectionCount = 10

export function openConnections(subject: Subject, count = connectionCount): Promise<readonly Http1Connection[]> {
  return Promise.all(Array.from({ length: count }, () => Http1Connection.open(subject, { keepsBody: false })))
}

/** Each lane sends its next request when the previous answer is complete. */
export async function runClosedLoop<Request>(
  subject: Subject,
  lanes: readonly Lane<Request>[],
  load: Load<Request>,
): Promise<LoadResult> {
  const latencies: number[] = []
  const serverBefore = usageOf(subject.processIds)
  const ownBefore = process.cpuUsage()
  const startedAt = performance.now()
  const isOver = endOf(load, startedAt)
  await Promise.all(lanes.map((lane) => drive(lane, load, isOver, latencies)))
  const seconds = (performance.now() - startedAt) / 1000
  const own = process.cpuUsage(ownBefore)
  const cpuSeconds = usageOf(subject.processIds).cpuSeconds - serverBefore.cpuSeconds
  const sorted = sortedNumbers(latencies)
  return {
    requests: sorted.length,
    perSecond: sorted.length / seconds,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    serverCpuMicroseconds: (cpuSeconds * 1e6) / sorted.length,
    generatorBusy: (own.user + own.system) / 1e6 / seconds,
  }
}

function endOf({ limit }: Pick<Load<unknown>, 'limit'>, startedAt: number): (nowMs: number) => boolean {
  if ('durationMs' in limit) return (nowMs) => nowMs - startedAt >= limit.durationMs
  let sent = 0
  return () => sent++ >= limit.requests
}

function drive<Request>(
  lane: Lane<Request>,
  { next, expectedStatus }: Load<Request>,
  isOver: (nowMs: number) => boolean,
  latencies: number[],
): Promise<void> {
  return new Promise((resolve, reject) => {
    const sendNext = (nowMs: number) => {
      if (isOver(nowMs)) {
        resolve()
        return
      }
      lane.send(next(), ({ status }) => {
        const answeredAt = performance.now()
        latencies.push(answeredAt - nowMs)
        if (status === expectedStatus) sendNext(answeredAt)
        else reject(new Error(`a request was answered ${status} instead of ${expectedStatus}`))
      })
    }
    sendNext(performance.now())
  })
}
