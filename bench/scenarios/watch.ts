import { setTimeout as sleep } from 'node:timers/promises'
import { collectionPath, configMap, objectName, objectPath } from '../config-map.ts'
import type { Row, Subject } from '../contract.ts'
import { connectionCount } from '../load/closed-loop.ts'
import { Deliveries, resourceVersionOf } from '../load/deliveries.ts'
import { Http1Connection, requestBytes } from '../load/http1-connection.ts'
import { WatchSession } from '../load/watch-session.ts'
import { atLeast, atMost, comparedRow, inRounds } from '../rounds.ts'
import { usageOf } from '../servers/usage.ts'
import type { Scenario } from './contract.ts'
import { runWrites, type WriteResult } from './watched-writes.ts'

const watcherCount = 1_000
/** As many streams as kube-apiserver allows per connection. */
const watchersPerSession = 250
/** Far below what either server can do, so that the delay is the server's and not that of a queue. */
const pacedWritesPerSecond = 10
const settleMs = 2_000
const mebibyte = 1024 * 1024

interface WatchResult {
  readonly saturated: WriteResult
  readonly paced: WriteResult
  readonly residentMebibytes: number
}

export const watchScenario: Scenario = async ({ subjects, options }) => {
  const rounds = await inRounds(subjects, options.rounds, (subject) => measureWatch(subject, options.roundMs))
  const scenario = '1,000 watchers'
  const last = rounds.slice(-1)
  const rows: readonly Row[] = [
    comparedRow({ scenario, unit: 'events/s' }, rounds, ({ saturated }) => saturated.eventsPerSecond, atLeast(2)),
    comparedRow(
      { scenario: `${scenario}: server CPU`, unit: 'µs/event' },
      rounds,
      ({ saturated }) => saturated.serverCpuMicroseconds,
    ),
    comparedRow(
      { scenario: `${scenario}: generator busy`, unit: '%' },
      rounds,
      ({ saturated }) => saturated.generatorBusy * 100,
    ),
    comparedRow(
      { scenario: `${scenario}: p99 delay, saturated`, unit: 'ms' },
      rounds,
      ({ saturated }) => saturated.p99DelayMs,
    ),
    comparedRow(
      { scenario: `${scenario}: p50 delay, 10 writes/s`, unit: 'ms' },
      rounds,
      ({ paced }) => paced.p50DelayMs,
    ),
    comparedRow(
      { scenario: `${scenario}: p99 delay, 10 writes/s`, unit: 'ms' },
      rounds,
      ({ paced }) => paced.p99DelayMs,
    ),
    comparedRow(
      { scenario: 'Memory after that', unit: 'MiB' },
      last,
      (result) => result.residentMebibytes,
      atMost(1 / 3),
    ),
  ]
  return rows
}

async function measureWatch(subject: Subject, durationMs: number): Promise<WatchResult> {
  const saturated = await withWatchers(subject, (deliveries, writers) =>
    runWrites({ subject, deliveries, writers, durationMs, window: connectionCount }),
  )
  return withWatchers(subject, async (deliveries, writers) => {
    const paced = await runWrites({
      subject,
      deliveries,
      writers,
      durationMs,
      window: Number.POSITIVE_INFINITY,
      intervalMs: 1_000 / pacedWritesPerSecond,
    })
    await sleep(settleMs)
    return { saturated, paced, residentMebibytes: usageOf(subject.processIds).residentBytes / mebibyte }
  })
}

async function withWatchers<T>(
  subject: Subject,
  measure: (deliveries: Deliveries, writers: readonly Http1Connection[]) => Promise<T>,
): Promise<T> {
  const writers = await Promise.all(
    Array.from({ length: connectionCount }, () => Http1Connection.open(subject, { keepsBody: true })),
  )
  const deliveries = new Deliveries(watcherCount)
  const sessions = await openSessions(subject, await currentVersion(subject, writers), deliveries)
  try {
    return await measure(deliveries, writers)
  } finally {
    for (const each of [...sessions, ...writers]) each.close()
  }
}

async function openSessions(
  subject: Subject,
  resourceVersion: string,
  deliveries: Deliveries,
): Promise<readonly WatchSession[]> {
  const path = `${collectionPath}?watch=true&resourceVersion=${resourceVersion}`
  const numbers = Array.from({ length: watcherCount }, (_, index) => index)
  return Promise.all(
    Array.from({ length: watcherCount / watchersPerSession }, (_, session) =>
      WatchSession.open(subject, {
        path,
        watchers: numbers.slice(session * watchersPerSession, (session + 1) * watchersPerSession),
        shownWatcher: 0,
        onEvent: deliveries.arrived,
      }),
    ),
  )
}

/** A write returns the newest version: watches start after it. */
async function currentVersion(subject: Subject, [writer]: readonly Http1Connection[]): Promise<string> {
  const name = objectName(0)
  const request = requestBytes(subject, 'PUT', objectPath(name), configMap(name, performance.now()))
  const answer = await writer?.request(request)
  return resourceVersionOf(answer?.body ?? '')
}
