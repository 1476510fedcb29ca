import { hkdfSync } from 'node:crypto'
import { UsageError } from '../../base/usage-error.ts'
import { BackupRefused } from '../backup-refused.ts'

/** A key that the operator keeps, and how backups name it. */
export interface BackupKey {
  /** Reveals only whether two keys are the same. */
  readonly id: string
  readonly secret: Buffer
}

export interface Keyring {
  /** Encrypts new backups. */
  readonly first: BackupKey
  /** Older backups may have been encrypted with any of them. */
  readonly keys: readonly BackupKey[]
}

const keyBytes = 32
const idBytes = 8
const mostKeys = 100
const howToMake = 'make one with: openssl rand -base64 32'

/** One key in base64 per line, newest first; lines that begin with # are comments. Errors never show a key. */
export function readKeyring(text: string, file: string): Keyring {
  const lines = text.split('\n').map((line) => line.trim())
  const keys = lines.flatMap((line, index) => (isKeyLine(line) ? [keyOf(line, `${file}, line ${index + 1}`)] : []))
  const [first] = keys
  if (first === undefined) throw new UsageError(`${file} holds no key: ${howToMake}`)
  if (keys.length > mostKeys)
    throw new UsageError(`${file} holds more than ${mostKeys} keys: remove those of old backups`)
  return { first, keys }
}

function isKeyLine(line: string): boolean {
  return line !== '' && !line.startsWith('#')
}

function keyOf(line: string, where: string): BackupKey {
  const secret = Buffer.from(line, 'base64')
  // Node skips characters that are not base64: a text that does not round-trip was something else.
  const isWhole = secret.length === keyBytes && secret.toString('base64') === line
  if (!isWhole) throw new UsageError(`${where} is not a key: a key is ${keyBytes} random bytes in base64; ${howToMake}`)
  return { id: derived(secret, Buffer.alloc(0), 'tenant-platform backup key id', idBytes).toString('hex'), secret }
}

/** Throws BackupRefused unless the key with that id is among them. */
export function keyWithId({ keys }: Keyring, id: string): BackupKey {
  const key = keys.find((each) => each.id === id)
  if (key !== undefined) return key
  const known = keys.map((each) => each.id).join(', ')
  throw new BackupRefused(
    `it is encrypted with the key ${id.slice(0, 2 * idBytes)}, and the key file holds ${known}: give the file with that key`,
  )
}

/**
 * The key of one backup: no two backups have the same one, so counting nonces from 0 never repeats one. It is bound to
 * the header: if that is changed, nothing can be decrypted.
 */
export function keyOfBackup({ secret }: BackupKey, salt: Buffer, headerDigest: Buffer): Buffer {
  return derived(secret, salt, Buffer.concat([Buffer.from('tenant-platform backup 1\n'), headerDigest]), keyBytes)
}

function derived(secret: Buffer, salt: Buffer, info: string | Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, length))
}
