import { asJson, asMembers } from '../../base/json/lenient.ts'

/** Outside the objects, so that no request reads or writes it. */
export const formatRoot = '/store/'
export const formatKey = `${formatRoot}format`

/** The record of the format of everything in a store. */
export interface FormatRecord {
  readonly version: number
  /** The oldest version whose programs may still read and write the store: later additions do not concern them. */
  readonly readableBy: number
  /** The backup or store from which this store is being filled. Present: the store is incomplete. */
  readonly restoring?: string
  /** The store that has its objects now. Present: they are outdated here. */
  readonly movedTo?: string
}

/** Stores that predate the record have this format. */
export const firstFormat: FormatRecord = { version: 1, readableBy: 1 }

export function encodeFormat(record: FormatRecord): Buffer {
  return Buffer.from(JSON.stringify(record))
}

/** Undefined if the value is not a valid record. */
export function decodeFormat(value: Uint8Array): FormatRecord | undefined {
  const { version, readableBy, restoring, movedTo } = asMembers(asJson(Buffer.from(value).toString()))
  if (!isVersion(version) || !isVersion(readableBy) || readableBy > version) return undefined
  return {
    version,
    readableBy,
    ...(typeof restoring === 'string' && { restoring }),
    ...(typeof movedTo === 'string' && { movedTo }),
  }
}

function isVersion(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0
}
