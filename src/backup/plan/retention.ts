import type { ListedBackup } from '../backup-files.ts'
import type { BackupHeader, BackupSource } from '../envelope/header.ts'

export interface Retention {
  /** How many of the newest stay. Absent: all. */
  readonly keep?: number
  /** For how many days backups stay. Absent: forever. */
  readonly keepDays?: number
}

const dayMs = 86_400_000
/** How many records of failures stay. */
const keptFailures = 20

/**
 * Backups of one source that have expired: complete ones beyond the number or the age, but never the newest one, and
 * older records of failures. Backups of other sources, and unreadable ones, are left alone.
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

/** Of two backups made at the same time, the one with the later revision comes first. */
function newerFirst(left: BackupHeader, right: BackupHeader): number {
  return Date.parse(right.createdAt) - Date.parse(left.createdAt) || right.revision - left.revision
}

/** Names are reused, so the uid counts too. A cluster reports its own uid, so that alone is not trusted. */
export function isSameSource(left: BackupSource, right: BackupSource): boolean {
  return left.type === right.type && left.name === right.name && left.uid === right.uid
}
