import { microTimestamp, systemClock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { systemRandom } from '../../base/random.ts'
import type { AuditRecord, HealthCheck, RequireAudit } from '../../server/contract.ts'
import { AuditFile, type AuditFileOptions } from './audit-file.ts'
import { auditLine } from './audit-line.ts'
import { auditMetrics } from './audit-metrics.ts'
import { auditedCallerOf, mayBeLeftOut } from './caller.ts'
import { AuditChain } from './chain/audit-chain.ts'
import { LineBudget } from './line-budget.ts'
import { type AuditRule, auditLevel, defaultAuditPolicy } from './policy.ts'
import { type AuditOnFailure, auditChecks, requireAudit } from './unwritten.ts'
import { AuditWebhook } from './webhook/audit-webhook.ts'
import type { AuditWebhookServer } from './webhook/webhook-server.ts'

export interface AuditOptions {
  readonly file: string
  /** Defaults to `refuse`. */
  readonly onFailure?: AuditOnFailure
  readonly policy?: readonly AuditRule[]
  readonly maxBytes?: number
  readonly maxFiles?: number
  /** Also receives the lines. It is closed with the log. */
  readonly webhook?: AuditWebhookServer
}

export interface Audit {
  record(record: AuditRecord): void
  /** Refuses a request that could not be recorded, before it is carried out. */
  readonly require: RequireAudit
  readonly healthChecks: readonly HealthCheck[]
  metrics(): string
  /** Resolves when everything recorded so far is in the file. */
  flush(): Promise<void>
  stop(): Promise<void>
}

/** Limit for one address of strangers. All strangers share a file of their own, which keeps the latest lines. */
const perAddress = { atOnce: 60, perMinute: 20 }
const allStrangers = { atOnce: 600, perMinute: 600 }
const strangersMaxBytes = 10 * 1024 * 1024
/** Limit for the reads and refusals of one caller. Changes are not limited. */
const perCaller = { atOnce: 10_000, perMinute: 600 }
const tellMissedMs = 60_000

/** The log of strangers, kept beside the log of known callers. */
export function strangersFile(file: string): string {
  return `${file}.strangers`
}

/**
 * Records what was asked of the platform, by whom and with what result, as lines of JSON. No caller can push out the
 * records of others: strangers have a file of their own, and the requests of a caller who floods the log are counted
 * after a while instead of recorded one by one.
 */
export function createAudit(options: AuditOptions, log: Log): Audit {
  const { policy = defaultAuditPolicy, onFailure = 'refuse' } = options
  const webhook = options.webhook && new AuditWebhook({ ...options.webhook, random: systemRandom, log })
  const chains = { known: new AuditChain(), strangers: new AuditChain() }
  const known = openFile({ ...options, chain: chains.known }, log, webhook)
  const file = strangersFile(options.file)
  const strangers = openFile({ file, maxBytes: strangersMaxBytes, maxFiles: 1, chain: chains.strangers }, log)
  const budgets = {
    known: new LineBudget(perCaller),
    stranger: new LineBudget(perAddress),
    everyStranger: new LineBudget(allStrangers),
  }
  let lastMs = 0
  const recordStranger = (record: AuditRecord, name: string): void => {
    const nowMs = record.finishedAtMs
    if (!budgets.stranger.take(name, nowMs) || !budgets.everyStranger.take('all', nowMs)) return
    strangers.add(auditLine(record))
  }
  const recordKnown = (record: AuditRecord, name: string): void => {
    if (mayBeLeftOut(record) && !budgets.known.take(name, record.finishedAtMs)) return
    known.add(auditLine(record))
  }
  const tellMissed = (): void => {
    for (const [name, missed] of budgets.known.takeMissed(lastMs)) known.add(missedLine(name, missed, lastMs))
    const addresses = budgets.stranger.takeMissed(lastMs)
    const [busiest] = [...addresses].sort(([, left], [, right]) => right - left)
    const missed = addresses.reduce((sum, [, each]) => sum + each, 0)
    if (busiest !== undefined) strangers.add(missedLine(sourcesText(addresses.length, busiest[0]), missed, lastMs))
    const unsaid = budgets.everyStranger.takeMissed(lastMs).reduce((sum, [, each]) => sum + each, 0)
    if (unsaid > 0) strangers.add(missedLine('many addresses together', unsaid, lastMs))
  }
  const timer = setInterval(tellMissed, tellMissedMs).unref()
  const flush = async (): Promise<void> => {
    await Promise.all([known.flush(), strangers.flush()])
  }
  return {
    record: (record) => {
      lastMs = Math.max(lastMs, record.finishedAtMs)
      if (auditLevel(policy, record) !== 'metadata') return
      const { kind, name } = auditedCallerOf(record)
      if (kind === 'known') recordKnown(record, name)
      else recordStranger(record, name)
    },
    require: requireAudit({ policy, onFailure, file: known }),
    healthChecks: auditChecks(known, onFailure),
    metrics: () =>
      auditMetrics({
        isFailing: known.failure !== undefined,
        lostLines: known.lostLines + strangers.lostLines,
        writtenLines: chains.known.head.sequence,
        webhook: webhook?.counts,
      }),
    flush,
    stop: async () => {
      clearInterval(timer)
      tellMissed()
      await flush()
      await webhook?.stop()
      options.webhook?.close()
    },
  }
}

type OpenFileOptions = Pick<AuditFileOptions, 'file' | 'maxBytes' | 'maxFiles' | 'chain'>

function openFile({ file, maxBytes, maxFiles, chain }: OpenFileOptions, log: Log, webhook?: AuditWebhook): AuditFile {
  const opened: AuditFile = new AuditFile({
    file,
    maxBytes,
    maxFiles,
    chain,
    onWritten: (text) => webhook?.add(text),
    onFailure: (error) => log.error('the audit log cannot be written', { file, error }),
    onRecovery: (lostLines) => {
      log.info('the audit log is written again', { file, lostLines })
      if (lostLines > 0) opened.add(lostLine(lostLines, systemClock.now()))
    },
  })
  return opened
}

function sourcesText(count: number, busiest: string): string {
  return count === 1 ? busiest : `${count} addresses, most of them from ${busiest}`
}

function missedLine(source: string, missed: number, nowMs: number): string {
  return countLine(missed, `${missed} more requests of ${source} were not written down one by one`, source, nowMs)
}

function lostLine(lost: number, nowMs: number): string {
  return countLine(lost, `${lost} lines are lost, since the audit log could not be written for a while`, '', nowMs)
}

/** Has the form of the other lines, so that the same readers can parse it. */
function countLine(missed: number, reason: string, source: string, nowMs: number): string {
  const empty = { auditId: '', user: '', verb: '', target: '', path: '', code: 0, decision: '', layer: '' }
  return `${JSON.stringify({ time: microTimestamp(nowMs), ...empty, missed, reason, source, userAgent: '' })}\n`
}
