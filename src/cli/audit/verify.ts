import { resolve } from 'node:path'
import { UsageError } from '../../base/usage-error.ts'
import { type ChainFinding, isProblem } from '../../platform/audit/chain/finding.ts'
import { type VerifiedLog, verifyAuditLog } from '../../platform/audit/chain/verify-log.ts'
import { print } from '../output/print.ts'
import { ReportedFailure } from '../reported-failure.ts'
import { whyUnreadable } from '../terminal/read-text.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { VerifyAuditOptions } from './options.ts'
import { usualLogs } from './usual-logs.ts'

/** A head belongs to one log. */
export async function verifyAudit(
  files: readonly string[],
  options: VerifyAuditOptions,
  terminal: Terminal,
): Promise<void> {
  const logs = files.length > 0 ? files.map((file) => resolve(file)) : await usualLogs(options.dataDir, terminal)
  if (options.head !== undefined && logs.length > 1 && files.length > 0) {
    throw new UsageError('--head works with one log: name only that log')
  }
  const results: { readonly log: string; readonly verified: VerifiedLog }[] = []
  for (const [index, log] of logs.entries()) {
    results.push({ log, verified: await verified(log, index === 0 ? options : {}) })
  }
  const isBroken = results.some((result) => !isVerified(result.verified))
  if (options.output === 'json') {
    print(
      terminal,
      `${JSON.stringify({ whole: !isBroken, logs: results.map(({ verified: each }) => each) }, null, 2)}\n`,
    )
  } else for (const { log, verified: each } of results) print(terminal, textOf(log, each))
  if (isBroken) throw new ReportedFailure('the audit log is not as it was written, or cannot be checked')
}

async function verified(log: string, { head }: Pick<VerifyAuditOptions, 'head'>): Promise<VerifiedLog> {
  try {
    return await verifyAuditLog(log, head)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EISDIR') {
      throw new UsageError(`${log} is a directory: name the file of the log, or the data directory with --data-dir`)
    }
    throw new UsageError(`cannot read ${log}: ${whyUnreadable(error)}`)
  }
}

/** Lines without a single hash may be of anyone: nothing about them could be checked. */
function isVerified({ head, findings }: VerifiedLog): boolean {
  return !findings.some((finding) => isProblem(finding) || (head === undefined && finding.kind === 'unchained'))
}

function textOf(log: string, verifiedLog: VerifiedLog): string {
  const { files, lines, first, head, findings } = verifiedLog
  const broken = head === undefined ? 'CANNOT BE CHECKED' : 'NOT AS IT WAS WRITTEN'
  const range = head === undefined ? 'no line with a hash' : `${lines} lines, ${first} to ${head.sequence} of the chain`
  return [
    `${log}: ${isVerified(verifiedLog) ? 'whole' : broken} (${range}, ${files.length} ${files.length === 1 ? 'file' : 'files'})`,
    ...findings.map(findingText),
    ...(head === undefined ? [] : [`  head ${head.sequence}:${head.hash}`]),
    '',
  ].join('\n')
}

function findingText(finding: ChainFinding): string {
  const { kind, place, message } = finding
  const where = place.line === 0 ? place.file : `${place.file}:${place.line} (byte ${place.offset})`
  return `  ${isProblem(finding) ? kind.toUpperCase() : kind}: ${where}: ${message}`
}
