import { completeEnding, type ListedBackup } from './backup-files.ts'
import { ByteSource } from './byte-source.ts'
import { FrameOpener, frameHeadLength } from './envelope/frames.ts'
import { type BackupSource, readHeader, requireOwnName } from './envelope/header.ts'
import { type Keyring, keyWithId } from './envelope/keyring.ts'
import type { BackupPlace } from './places/contract.ts'
import { isSameSource } from './plan/retention.ts'

/**
 * Without complete backups of other sources, and without those whose header is not proven. A user who may add files to
 * a place could write any header, with a later time and the right source, and so have the others removed as too many.
 */
export async function provenBackups(
  listed: readonly ListedBackup[],
  source: BackupSource,
  { place, keyring }: { readonly place: BackupPlace; readonly keyring: Keyring },
): Promise<readonly ListedBackup[]> {
  const proven: ListedBackup[] = []
  for (const backup of listed) {
    if (backup.state === 'complete' && !isSameSource(backup.header.source, source)) continue
    if (backup.state !== 'complete' || (await isProven(backup.name, place, keyring))) proven.push(backup)
  }
  return proven
}

/** The first frame decrypts only with the key, and only after its original header. */
async function isProven(name: string, place: BackupPlace, keyring: Keyring): Promise<boolean> {
  const source = new ByteSource(place.read(name + completeEnding))
  try {
    const { header, bytes: headerBytes } = await readHeader(source)
    requireOwnName(header, name)
    const key = keyWithId(keyring, header.keyId)
    const opener = new FrameOpener({ key, salt: Buffer.from(header.salt, 'base64'), headerBytes })
    const head = opener.readHead(await source.take(frameHeadLength))
    opener.open(await source.take(head.length), head)
    return true
  } catch {
    return false
  } finally {
    await source.end()
  }
}
