import { asMembers } from '../../base/json/lenient.ts'
import { BackupRefused } from '../backup-refused.ts'
import type { ByteSource } from '../byte-source.ts'
import { parsedObject } from '../parsed-object.ts'
import { isCount } from '../records/decode-record.ts'

export type SourceType = 'platform' | 'virtualCluster' | 'cluster'

/** Whose state a backup holds. */
export interface BackupSource {
  readonly type: SourceType
  /** The operator's name for it; for a virtual cluster `project/name`. */
  readonly name: string
  /** The uid of its namespace kube-system. */
  readonly uid: string
}

/** What precedes the encrypted part, readable by everyone. It contains no secrets, and cannot be changed unnoticed. */
export interface BackupHeader {
  /** The name of the backup: it is refused under any other name. */
  readonly name: string
  readonly createdAt: string
  readonly source: BackupSource
  readonly revision: number
  readonly storeFormat: number
  /** The version of the program that served the state. */
  readonly program: string
  /** Which key decrypts it. */
  readonly keyId: string
  /** 32 random bytes in base64, from which the key of this one backup is derived. */
  readonly salt: string
}

/** Raised when the form of a backup changes. */
const backupFormat = 1
const opening = 'tenant-backup '
/** `tenant-backup 1` and a line feed, with the number padded, so that the opening has the same length in all formats. */
const openingLength = opening.length + 5
const maxHeaderBytes = 64 * 1024

export function encodeHeader(header: BackupHeader): Buffer {
  const json = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(json.length)
  return Buffer.concat([Buffer.from(`${opening}${String(backupFormat).padEnd(4)}\n`), length, json])
}

export interface ReadHeader {
  readonly header: BackupHeader
  /** The original bytes: the key of the backup is bound to them. */
  readonly bytes: Buffer
}

/** Throws BackupRefused for anything but a backup, or for one of a newer format. */
export async function readHeader(source: ByteSource): Promise<ReadHeader> {
  const first = await source.take(openingLength)
  requireKnownFormat(first.toString('latin1'))
  const length = await source.take(4)
  const claimed = length.length < 4 ? 0 : length.readUInt32BE()
  if (claimed > maxHeaderBytes)
    throw new BackupRefused(`its header claims ${claimed} bytes; the most is ${maxHeaderBytes}`)
  const json = await source.take(claimed)
  if (claimed === 0 || json.length < claimed) throw new BackupRefused('it ends in its header: it is not whole')
  return { header: headerIn(json), bytes: Buffer.concat([first, length, json]) }
}

/** How many of the first bytes are enough to read the header. */
export const headerBytes = openingLength + 4 + maxHeaderBytes

/** Throws BackupRefused for a backup under another name than its own. */
export function requireOwnName(header: BackupHeader, name: string): void {
  if (header.name !== name)
    throw new BackupRefused(`it is the backup ${JSON.stringify(header.name)}, under another name`)
}

function requireKnownFormat(first: string): void {
  const number = /^tenant-backup ([1-9][0-9]{0,3}) *\n$/.exec(first)?.[1]
  if (number === undefined) throw new BackupRefused('it is not a backup: the first bytes are wrong')
  if (Number(number) > backupFormat)
    throw new BackupRefused(
      `it has backup format ${number}, and this program reads up to ${backupFormat}: use a newer version of the program`,
    )
}

function headerIn(json: Buffer): BackupHeader {
  const members = parsed(json)
  const createdAt = text(members.createdAt)
  if (Number.isNaN(Date.parse(createdAt))) throw unreadable()
  return {
    name: text(members.name),
    createdAt,
    source: sourceIn(members.source),
    revision: count(members.revision),
    storeFormat: count(members.storeFormat),
    program: text(members.program),
    keyId: keyId(members.keyId),
    salt: text(members.salt),
  }
}

function sourceIn(value: unknown): BackupSource {
  const { type, name, uid } = asMembers(value)
  if (type !== 'platform' && type !== 'virtualCluster' && type !== 'cluster') throw unreadable()
  return { type, name: text(name), uid: text(uid) }
}

function text(value: unknown): string {
  if (typeof value === 'string' && value.length <= 1_000) return value
  throw unreadable()
}

function keyId(value: unknown): string {
  if (typeof value === 'string' && /^[0-9a-f]{16}$/.test(value)) return value
  throw unreadable()
}

function count(value: unknown): number {
  if (isCount(value)) return value
  throw unreadable()
}

function parsed(json: Buffer): Readonly<Record<string, unknown>> {
  const value = parsedObject(() => JSON.parse(json.toString()))
  if (value === undefined) throw unreadable()
  return value
}

function unreadable(): BackupRefused {
  return new BackupRefused('its header cannot be read: it is damaged')
}
