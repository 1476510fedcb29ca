import { asJson, asMembers } from '../../base/json/lenient.ts'

/** Beside the objects, so that no request reads or writes it. */
export const formatRoot = '/store/'
export const formatKey = `${formatRoot}format`

/** What a store says about the form of everything in it. */
export interface FormatRecord {
  readonly version: number
  /** The oldest version whose programs may still read and write here: what was added since does not concern them. */
  readonly readableBy: number
  /** The backup or store that it is being filled from. Present: the store is not whole. */
  readonly restoring?: string
}

/** Stores from before the record have this format. */
export const firstFormat: FormatRecord = { version: 1, readableBy: 1 }

export function encodeFormat(record: FormatRecord): Buffer {
  return Buffer.from(JSON.stringify(record))
}

/** Undefined for what is no such record. */
export function decodeFormat(value: Uint8Array): FormatRecord | undefined {
  const { version, readableBy, restoring } = asMembers(asJson(Buffer.from(value).toString()))
  if (!isVersion(version) || !isVersion(readableBy) || readableBy > version) return undefined
  return { version, readableBy, ...(typeof restoring === 'string' && { restoring }) }
}

function isVersion(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0
}
