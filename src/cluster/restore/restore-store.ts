import { BackupRefused } from '../../backup/backup-refused.ts'
import type { BackupHeader } from '../../backup/envelope/header.ts'
import type { Keyring } from '../../backup/envelope/keyring.ts'
import { readBackup } from '../../backup/read-backup.ts'
import { verifyBackup } from '../../backup/verify-backup.ts'
import { deepEqual } from '../../base/equal.ts'
import type { Store } from '../../storage/contract.ts'
import { openAnyFormat } from '../store/open-store.ts'
import { fillStore, revisionGap } from './fill-store.ts'
import { FirstKeySurvey } from './first-key-survey.ts'
import { type RestoreKnowledge, restoredEntry, takesKeyOfServer } from './restored-entry.ts'
import type { KnownRevocations } from './revocations.ts'

export interface StoreRestore {
  /** `file:DIR` or `etcd:URL[,URL]`. */
  readonly store: string
  readonly backup: string
  /** Reads the backup from its beginning, each time. */
  readonly read: () => AsyncIterable<Buffer>
  readonly keyring: Keyring
  /** Called once the backup was verified; may refuse by throwing. */
  readonly requireSource?: (header: BackupHeader) => void
  /** Called after that. */
  readonly revocations: (header: BackupHeader) => Promise<KnownRevocations>
}

export interface RestoredStore {
  readonly header: BackupHeader
  readonly entries: number
  readonly leftOut: number
  readonly disabledKeys: readonly string[]
  /** Virtual clusters whose proofs are void, as `PROJECT/NAME`. */
  readonly withoutProof: readonly string[]
  readonly revocations: KnownRevocations['known']
  /**
   * Whether the first administrator's key is that of the server that starts with the store, whether or not it was
   * revoked.
   */
  readonly takesKeyOfServer: boolean
  /** The newest revision of the new store. */
  readonly revision: number
}

/**
 * Restores a backup into an empty store. The backup is read to its end before anything is written, and what was written
 * is read back. Until then the store is marked as incomplete, and no server opens it.
 */
export async function restoreStore(restore: StoreRestore): Promise<RestoredStore> {
  const survey = new FirstKeySurvey()
  const { header } = await verifyBackup(restore.backup, restore.read(), restore.keyring, (entry) => survey.add(entry))
  restore.requireSource?.(header)
  const revocations = await restore.revocations(header)
  const store = await openAnyFormat(restore.store, header.revision + revisionGap)
  try {
    return await filled(store, header, { revocations, firstKey: survey.result() }, restore)
  } finally {
    await store.close()
  }
}

async function filled(
  store: Store,
  header: BackupHeader,
  knowledge: RestoreKnowledge,
  { backup, read, keyring, store: url }: StoreRestore,
): Promise<RestoredStore> {
  const disabledKeys: string[] = []
  const withoutProof: string[] = []
  let leftOut = 0
  const filling = { store, url, from: backup, storeFormat: header.storeFormat }
  const { entries, revision } = await fillStore(filling, async (take) => {
    await readBackup(backup, read(), keyring, {
      begin: (again) => requireSameBackup(backup, header, again),
      entry: async (entry) => {
        const restored = restoredEntry(entry, knowledge)
        if (restored.fate === 'disabled') disabledKeys.push(restored.keyName)
        if (restored.fate === 'without proof') withoutProof.push(restored.name)
        if (restored.fate === 'left out') leftOut += 1
        else await take({ key: entry.key, value: restored.value })
      },
    })
  })
  return {
    header,
    entries,
    leftOut,
    disabledKeys,
    withoutProof,
    revocations: knowledge.revocations.known,
    takesKeyOfServer: takesKeyOfServer(knowledge),
    revision,
  }
}

/** Only the verified backup is restored. Its header identifies all of it, because the content is bound to it. */
function requireSameBackup(name: string, verified: BackupHeader, again: BackupHeader): void {
  if (deepEqual(verified, again)) return
  throw new BackupRefused(
    `another backup came when it was read again, under the name ${name}: nothing of it was restored`,
  )
}
