import { type BackupFailure, encodeBackupFailure, failureEnding, once } from '../../backup/backup-files.ts'
import { type CreatedBackup, createBackup, newBackupName } from '../../backup/create-backup.ts'
import type { Keyring } from '../../backup/envelope/keyring.ts'
import type { BackupPlace } from '../../backup/places/contract.ts'
import { removeExpired } from '../../backup/remove-expired.ts'
import { systemClock, timestamp } from '../../base/clock.ts'
import { errorText } from '../../base/error-text.ts'
import { systemRandom } from '../../base/random.ts'
import { visible } from '../../base/unseen.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { openState } from './open-state.ts'
import type { CreateBackupOptions } from './options.ts'
import type { BackupTarget } from './target.ts'

export interface BackupRun {
  readonly created: CreatedBackup
  /** Names of older backups that were removed. */
  readonly removed: readonly string[]
}

export interface BackupRunParts {
  readonly place: BackupPlace
  readonly keyring: Keyring
  readonly target: BackupTarget
}

/** Makes one backup and removes those beyond the retention. A failure is recorded next to the backups. */
export async function runBackup(
  parts: BackupRunParts,
  retention: Pick<CreateBackupOptions, 'keep' | 'keepDays'>,
  terminal: Pick<Terminal, 'env'>,
): Promise<BackupRun> {
  const { place, keyring, target } = parts
  const nowMs = systemClock.now()
  try {
    const open = () => openState(target.access, terminal)
    const created = await createBackup({ place, keyring, source: target.source, open, random: systemRandom, nowMs })
    const removed = await removeExpired(parts, created.header.source, retention, nowMs)
    return { created, removed }
  } catch (error) {
    await noteFailure(parts, error, nowMs)
    throw error
  }
}

const longestMessage = 1_000

/** If the place itself fails, the exit code and the metrics must suffice. */
async function noteFailure({ place, target }: BackupRunParts, error: unknown, nowMs: number): Promise<void> {
  const message = visible(errorText(error)).slice(0, longestMessage)
  const failure: BackupFailure = { at: timestamp(nowMs), source: target.source, message }
  const name = newBackupName(target.source, nowMs, systemRandom) + failureEnding
  await place.write(name, once(encodeBackupFailure(failure))).catch(() => {})
}
