import type { StoredValue } from '../storage/contract.ts'
import { BackupRefused } from './backup-refused.ts'
import { ByteSource } from './byte-source.ts'
import { FrameOpener, frameHeadLength } from './envelope/frames.ts'
import { type BackupHeader, readHeader, requireOwnName } from './envelope/header.ts'
import { type Keyring, keyWithId } from './envelope/keyring.ts'
import { recordsIn } from './records/read-records.ts'
import { type BackupTotals, differenceOf, Tally } from './records/tally.ts'

export interface BackupReader {
  /** Called before the first entry; may refuse by throwing. */
  begin?(header: BackupHeader): void | Promise<void>
  /** Entries come in the order of their keys. They are proven to be intact only when reading has ended. */
  entry(entry: StoredValue): void | Promise<void>
}

export interface ReadBackup {
  readonly header: BackupHeader
  readonly totals: BackupTotals
}

/**
 * Reads a backup from its first byte to its last, one frame at a time. Throws BackupRefused, with the name in the text,
 * for everything that differs from what was written.
 */
export async function readBackup(
  name: string,
  bytes: AsyncIterable<Buffer>,
  keyring: Keyring,
  reader: BackupReader,
): Promise<ReadBackup> {
  const source = new ByteSource(bytes)
  try {
    return await readAll(name, source, keyring, reader)
  } catch (error) {
    if (error instanceof BackupRefused) throw new BackupRefused(`${name}: ${error.message}`, { cause: error })
    throw error
  } finally {
    await source.end()
  }
}

async function readAll(name: string, source: ByteSource, keyring: Keyring, reader: BackupReader): Promise<ReadBackup> {
  const { header, bytes: headerBytes } = await readHeader(source)
  requireOwnName(header, name)
  const key = keyWithId(keyring, header.keyId)
  const opener = new FrameOpener({ key, salt: Buffer.from(header.salt, 'base64'), headerBytes })
  const tally = new Tally()
  let hasBegun = false
  for (;;) {
    const head = opener.readHead(await source.take(frameHeadLength))
    const content = opener.open(await source.take(head.length), head)
    // The first frame that can be decrypted proves the header.
    if (!hasBegun) await reader.begin?.(header)
    hasBegun = true
    if (head.isLast) return { header, totals: await ended(content, source, tally) }
    for (const record of recordsIn(content)) {
      if (record.type !== 'entry')
        throw new BackupRefused(`found a record of type ${record.type} where an entry was expected`)
      tally.add(record.entry)
      await reader.entry(record.entry)
    }
  }
}

/** What was read must match the totals in the last frame. */
async function ended(content: Buffer, source: ByteSource, tally: Tally): Promise<BackupTotals> {
  const records = [...recordsIn(content)]
  const [end] = records
  if (records.length !== 1 || end?.type !== 'end') throw new BackupRefused('its last frame holds no end')
  if ((await source.take(1)).length > 0) throw new BackupRefused('there is data after its end')
  const totals = tally.totals()
  const difference = differenceOf(end.totals, totals)
  if (difference !== undefined) throw new BackupRefused(`its content is not what its last frame says: ${difference}`)
  return totals
}
