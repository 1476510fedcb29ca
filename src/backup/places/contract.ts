import { BackupRefused } from '../backup-refused.ts'

/** Where backups are kept: files with names, without folders. */
export interface BackupPlace {
  /** Its address for people. */
  readonly address: string
  list(): Promise<readonly PlacedFile[]>
  read(name: string): AsyncIterable<Buffer>
  /** Up to that many of its first bytes. */
  readStart(name: string, bytes: number): Promise<Buffer>
  /** Complete and durable when it resolves. Refuses a name that is taken; a failure leaves nothing, or a draft. */
  write(name: string, bytes: AsyncIterable<Buffer>): Promise<void>
  /** Others see the complete file under either name, never a part. Refuses a name that is taken. */
  rename(from: string, to: string): Promise<void>
  /** Removing a missing file is not an error. */
  remove(name: string): Promise<void>
  close(): void
}

export interface PlacedFile {
  readonly name: string
  readonly bytes: number
}

const plainName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,250}$/

/** No folder, no hidden file, no parent directory. */
export function isPlainName(name: string): boolean {
  return plainName.test(name) && !name.includes('..')
}

/** Throws BackupRefused for a name that could lead out of the place. */
export function requireBackupName(name: string): void {
  if (!isPlainName(name))
    throw new BackupRefused(`${JSON.stringify(name)} is not the name of a backup: see tenant backup list`)
}

export function alreadyThere(name: string): BackupRefused {
  return new BackupRefused(`${name} already exists and is not replaced`)
}
