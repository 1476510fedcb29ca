import { createServer } from 'node:http'
import { parseCron } from '../../api/batch/cron-schedule.ts'
import { openPlace } from '../../backup/places/open-place.ts'
import { systemClock, timestamp } from '../../base/clock.ts'
import { errorText } from '../../base/error-text.ts'
import { rest } from '../../base/pause.ts'
import { UsageError } from '../../base/usage-error.ts'
import { nextTime } from '../../controllers/cron-job/schedule-times.ts'
import { zoneOffset } from '../../controllers/cron-job/zone-offset.ts'
import { say, warn } from '../output/messages.ts'
import { print } from '../output/print.ts'
import { ReportedFailure } from '../reported-failure.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { untilStopped } from '../until-stopped.ts'
import { readKeyFile } from './key-file.ts'
import type { ScheduleBackupsOptions } from './options.ts'
import { type BackupRunParts, runBackup } from './run-backup.ts'
import { RunMetrics } from './run-metrics.ts'
import { backupTarget } from './target.ts'
import { summaryOf } from './totals-text.ts'

/**
 * Makes backups on schedule until stopped. A failed run is reported, recorded and counted; the next one follows on
 * schedule.
 */
export async function scheduleBackups(options: ScheduleBackupsOptions, terminal: Terminal): Promise<void> {
  const timeAfter = timesOf(options)
  await requireUsable(options, terminal)
  const metrics = new RunMetrics()
  const stop = new AbortController()
  const closeMetrics = await serveMetrics(metrics, options)
  const stopped = untilStopped().then(() => stop.abort())
  print(terminal, 'ready\n')
  while (!stop.signal.aborted) {
    const atMs = timeAfter(systemClock.now())
    if (atMs === undefined)
      throw new UsageError(`the schedule ${options.schedule} never occurs: choose a day that exists`)
    say(terminal, `the next backup is made at ${timestamp(atMs)}`)
    await untilTime(atMs, stop.signal)
    if (!stop.signal.aborted) await run(options, metrics, terminal)
  }
  await stopped
  await closeMetrics()
  if (metrics.hasFailed) throw new ReportedFailure('the last backup failed')
}

/** A configuration that cannot work is reported at the start, not at night. */
async function requireUsable(options: ScheduleBackupsOptions, terminal: Terminal): Promise<void> {
  const { place } = await partsOf(options, terminal)
  place.close()
}

/** Read again for every run: keys and logins are rotated. */
async function partsOf(options: ScheduleBackupsOptions, terminal: Terminal): Promise<BackupRunParts> {
  const keyring = await readKeyFile(options.key, terminal)
  const target = await backupTarget(options, terminal)
  return { keyring, target, place: await openPlace(options.to, terminal.env) }
}

async function run(options: ScheduleBackupsOptions, metrics: RunMetrics, terminal: Terminal): Promise<void> {
  const beganMs = systemClock.now()
  try {
    const parts = await partsOf(options, terminal)
    try {
      const { created, removed } = await runBackup(parts, options, terminal)
      metrics.succeeded(beganMs, systemClock.now(), created.totals.entries)
      say(terminal, `${created.name}: ${summaryOf(created.totals)}; removed: ${removed.length}`)
    } finally {
      parts.place.close()
    }
  } catch (error) {
    metrics.failed(beganMs, systemClock.now())
    warn(terminal, `the backup failed: ${errorText(error)}`)
  }
}

function timesOf({ schedule, timeZone }: ScheduleBackupsOptions): (afterMs: number) => number | undefined {
  const parsed = parseCron(schedule)
  if ('problem' in parsed) throw new UsageError(`${JSON.stringify(schedule)} is not a schedule: ${parsed.problem}`)
  const offset = zoneOffset(timeZone)
  if (offset === undefined)
    throw new UsageError(`this machine does not know the time zone ${timeZone}: name one such as Europe/Berlin`)
  return (afterMs) => nextTime(parsed.schedule, offset, afterMs)
}

/** Clocks are set, and timers are not exact, so the time is checked again now and then. */
const longestRestMs = 60_000

async function untilTime(atMs: number, signal: AbortSignal): Promise<void> {
  for (let leftMs = atMs - systemClock.now(); leftMs > 0 && !signal.aborted; leftMs = atMs - systemClock.now())
    await rest(Math.min(leftMs, longestRestMs), signal)
}

async function serveMetrics(
  metrics: RunMetrics,
  { metricsPort, metricsHost }: ScheduleBackupsOptions,
): Promise<() => Promise<void>> {
  if (metricsPort === undefined) return async () => {}
  const server = createServer((request, response) => {
    const isMetrics = request.url === '/metrics' && request.method === 'GET'
    response.writeHead(isMetrics ? 200 : 404, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' })
    response.end(isMetrics ? metrics.text() : 'see /metrics\n')
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(metricsPort, metricsHost, resolve)
  })
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
}
