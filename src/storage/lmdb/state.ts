import { readRevision, writeRevision } from './log-entry.ts'

/**
 * The one record about the store as a whole. Its revision is that of the last compaction, which may have removed the
 * newest log entries; otherwise the log has a newer one.
 */
export interface StoreState {
  readonly revision: number
  readonly compactedRevision: number
}

/** Raised when the shape of the data changes. A store written by a newer version is refused, never guessed at. */
export const formatVersion = 2
export const stateKey = 'state'
const stateLength = 20

/** The state of an empty store. Whatever preceded its first revision counts as compacted. */
export function stateFrom(revision: number): StoreState {
  return { revision, compactedRevision: revision }
}

export function encodeState(state: StoreState): Buffer {
  const bytes = Buffer.alloc(stateLength)
  bytes.writeUInt32BE(formatVersion, 0)
  writeRevision(bytes, 4, state.revision)
  writeRevision(bytes, 12, state.compactedRevision)
  return bytes
}

export type StateReading =
  | { readonly kind: 'valid'; readonly state: StoreState }
  | { readonly kind: 'too-new'; readonly version: number }
  | { readonly kind: 'corrupt' }

export function decodeState(bytes: Buffer): StateReading {
  if (bytes.length < 4) return { kind: 'corrupt' }
  const version = bytes.readUInt32BE(0)
  if (version > formatVersion) return { kind: 'too-new', version }
  if (version === 0 || bytes.length !== stateLength) return { kind: 'corrupt' }
  const state = { revision: readRevision(bytes, 4), compactedRevision: readRevision(bytes, 12) }
  const sound = Number.isSafeInteger(state.revision) && state.compactedRevision <= state.revision
  return sound ? { kind: 'valid', state } : { kind: 'corrupt' }
}
