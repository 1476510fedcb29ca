import { timestamp } from '../base/clock.ts'
import type { Random } from '../base/random.ts'
import { completeEnding, draftEnding } from './backup-files.ts'
import { BackupRefused } from './backup-refused.ts'
import type { BackupHeader, BackupSource } from './envelope/header.ts'
import type { Keyring } from './envelope/keyring.ts'
import type { BackupPlace } from './places/contract.ts'
import type { StateHead, StateRecord } from './records/record.ts'
import { type BackupTotals, differenceOf } from './records/tally.ts'
import { verifyBackup } from './verify-backup.ts'
import { StateNotSent, writeBackup } from './write-backup.ts'

/** A state that begins to arrive. */
export interface OpenedState {
  readonly head: StateHead
  readonly records: AsyncIterable<StateRecord>
}

export interface NewBackup {
  readonly place: BackupPlace
  readonly keyring: Keyring
  readonly source: Pick<BackupSource, 'type' | 'name'>
  /** Requests the state, once for every attempt. */
  readonly open: () => Promise<OpenedState>
  readonly random: Random
  readonly nowMs: number
}

export interface CreatedBackup {
  readonly name: string
  readonly header: BackupHeader
  readonly totals: BackupTotals
}

/** If a revision is compacted while it is read, a newer one can be read. */
const attempts = 3

/** Makes a backup, which only counts once it was read back and found complete. A failure leaves nothing behind. */
export async function createBackup(wanted: NewBackup): Promise<CreatedBackup> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await created(wanted)
    } catch (error) {
      if (!(error instanceof StateNotSent) || !error.isWorthRetry || attempt >= attempts) throw error
    }
  }
}

async function created(wanted: NewBackup): Promise<CreatedBackup> {
  const { place, keyring, source, random, nowMs } = wanted
  const { head, records } = await wanted.open()
  const name = newBackupName(source, nowMs, random)
  const header: BackupHeader = {
    name,
    // To the millisecond, so that backups within the same second can be ordered.
    createdAt: new Date(nowMs).toISOString(),
    source: { ...source, uid: head.clusterUid },
    revision: head.revision,
    storeFormat: head.storeFormat,
    program: head.program,
    keyId: keyring.first.id,
    salt: Buffer.from(random.bytes(32)).toString('base64'),
  }
  const draft = name + draftEnding
  const written = writeBackup(header, keyring.first, records)
  try {
    await place.write(draft, written.bytes)
    await requireSame(name, draft, written.totals(), wanted)
    await place.rename(draft, name + completeEnding)
  } catch (error) {
    await place.remove(draft).catch(() => {})
    throw error
  }
  return { name, header, totals: written.totals() }
}

async function requireSame(
  name: string,
  draft: string,
  written: BackupTotals,
  { place, keyring }: Pick<NewBackup, 'place' | 'keyring'>,
): Promise<void> {
  const { totals } = await verifyBackup(name, place.read(draft), keyring)
  const difference = differenceOf(written, totals)
  if (difference !== undefined) throw new BackupRefused(`${name} differs from what was written: ${difference}`)
}

/** `platform-20261116T184512Z-3f9a1c`: its source, its time, and a unique part. */
export function newBackupName(source: Pick<BackupSource, 'type' | 'name'>, nowMs: number, random: Random): string {
  const time = timestamp(nowMs).replaceAll(/[-:]/g, '')
  return `${slugOf(source)}-${time}-${Buffer.from(random.bytes(3)).toString('hex')}`
}

function slugOf({ type, name }: Pick<BackupSource, 'type' | 'name'>): string {
  const words = type === 'platform' ? 'platform' : name
  return (
    words
      .replaceAll(/[^A-Za-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 100) || type
  )
}
