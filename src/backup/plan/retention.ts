import type { ListedBackup } from '../backup-files.ts'
import type { BackupHeader, BackupSource } from '../envelope/header.ts'

export interface Retention {
  /** The newest ones that stay. Absent: all. */
  readonly keep?: number
  /** Those that stay although they are old. Absent: all. */
  readonly keepDays?: number
}

const dayMs = 86_400_000
/** What is known of failures. */
const keptFailures = 20

/**
 * Names of backups of one source that are not kept any longer: complete ones beyond the number or the age, never the
 * newest one, and the older notes about failures. Backups of other sources, and what cannot be read, are left alone.
 */
export function expiredBackups(
  listed: readonly ListedBackup[],
  source: BackupSource,
  { keep = Number.POSITIVE_INFINITY, keepDays = Number.POSITIVE_INFINITY }: Retention,
  nowMs: number,
): readonly ListedBackup[] {
  const complete = listed
    .filter((backup) => backup.state === 'complete')
    .filter(({ header }) => isSameSource(header.source, source))
    .sort((left, right) => newerFirst(left.header, right.header))
  const oldestMs = nowMs - keepDays * dayMs
  const beyond = complete.filter(
    ({ header }, index) => index > 0 && (index >= keep || Date.parse(header.createdAt) < oldestMs),
  )
  const failures = listed
    .filter((backup) => backup.state === 'failed')
    .filter(({ failure }) => failure.source.type === source.type && failure.source.name === source.name)
    .sort((left, right) => Date.parse(right.failure.at) - Date.parse(left.failure.at))
  return [...beyond, ...failures.slice(keptFailures)]
}

/** Of two of one moment, the one of the later revision. */
function newerFirst(left: BackupHeader, right: BackupHeader): number {
  return Date.parse(right.createdAt) - Date.parse(left.createdAt) || right.revision - left.revision
}

/** Names are given again, so the uid counts too. A cluster says its uid itself, so that alone is not believed. */
export function isSameSource(left: BackupSource, right: BackupSource): boolean {
  return left.type === right.type && left.name === right.name && left.uid === right.uid
}
