import { completeEnding, failureEnding, listBackups } from './backup-files.ts'
import type { BackupSource } from './envelope/header.ts'
import type { Keyring } from './envelope/keyring.ts'
import type { BackupPlace } from './places/contract.ts'
import { expiredBackups, type Retention } from './plan/retention.ts'
import { provenBackups } from './proven-backups.ts'

/**
 * Removes expired backups of one source. Returns the names of complete ones. Backups that the keys do not decrypt are
 * neither counted nor removed.
 */
export async function removeExpired(
  parts: { readonly place: BackupPlace; readonly keyring: Keyring },
  source: BackupSource,
  retention: Retention,
  nowMs: number,
): Promise<readonly string[]> {
  const { place } = parts
  const listed = await listBackups(place)
  const isLimited = retention.keep !== undefined || retention.keepDays !== undefined
  const counted = isLimited ? await provenBackups(listed, source, parts) : listed
  const expired = expiredBackups(counted, source, retention, nowMs)
  for (const { name, state } of expired)
    await place.remove(name + (state === 'failed' ? failureEnding : completeEnding))
  return expired.filter(({ state }) => state === 'complete').map(({ name }) => name)
}
