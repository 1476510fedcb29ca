import { StoreUnavailable } from '../contract.ts'

/** Wraps the data keys with which values are encrypted. It meets no value itself. */
export interface WrappingKey {
  /** Kept with each value, in the clear. Two keys that differ have different names. */
  readonly name: string
  wrap(dataKey: Buffer): WrappedDataKey | Promise<WrappedDataKey>
  /** Throws when it was not wrapped with this key. */
  unwrap(wrapped: Buffer): Buffer | Promise<Buffer>
  /** The version with which it would wrap now. Absent: there is one only. */
  currentVersion?(): Promise<string>
  close?(): void
}

export interface WrappedDataKey {
  readonly wrapped: Buffer
  /** Of the key, which may change under the same name. Short, and no secret. */
  readonly version?: string
}

/** What the operator has decided, in that order. */
export interface EncryptionKeys {
  /** Where they come from, for messages. */
  readonly source: string
  /** Values are written with it. Absent: as they are. */
  readonly writing?: WrappingKey
  /** All by which values are read, that one among them. */
  readonly reading: readonly WrappingKey[]
  /** Whether a value that is not encrypted is read where an encrypted one belongs. */
  readonly allowsPlain: boolean
}

/** Of a server that was given no keys. */
export const noEncryptionKeys: EncryptionKeys = { source: '', reading: [], allowsPlain: true }

/** Whether a value has to be encrypted. */
export type IsConfidential = (key: string, value: Uint8Array) => boolean

/** A value cannot be read with the keys that are there. Nothing is lost: it can with the right ones. */
export class EncryptionKeyMissing extends StoreUnavailable {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options)
    this.name = 'EncryptionKeyMissing'
  }
}
