import { StoreUnavailable } from '../contract.ts'

/** Wraps the data keys that encrypt values. It never sees a value. */
export interface WrappingKey {
  /** Stored with each value in plain text. Different keys have different names. */
  readonly name: string
  wrap(dataKey: Buffer): WrappedDataKey | Promise<WrappedDataKey>
  /** Throws if the data key was not wrapped with this key. */
  unwrap(wrapped: Buffer): Buffer | Promise<Buffer>
  /** The version that `wrap` would use now. Absent: the key has only one version. */
  currentVersion?(): Promise<string>
  close?(): void
}

export interface WrappedDataKey {
  readonly wrapped: Buffer
  /** The version of the key, which may change while the name stays. Short, and not secret. */
  readonly version?: string
}

/** The operator's encryption keys, in the operator's order. */
export interface EncryptionKeys {
  /** Where the keys come from, for messages. */
  readonly source: string
  /** Encrypts values that are written. Absent: values are written in plain text. */
  readonly writing?: WrappingKey
  /** All keys that decrypt values, including `writing`. */
  readonly reading: readonly WrappingKey[]
  /** Whether a plain value is accepted where an encrypted one belongs. */
  readonly allowsPlain: boolean
}

/** For a server without encryption keys. */
export const noEncryptionKeys: EncryptionKeys = { source: '', reading: [], allowsPlain: true }

/** Whether a value must be encrypted. */
export type IsConfidential = (key: string, value: Uint8Array) => boolean

/** A value cannot be decrypted with the available keys. Nothing is lost: the right keys can decrypt it. */
export class EncryptionKeyMissing extends StoreUnavailable {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options)
    this.name = 'EncryptionKeyMissing'
  }
}
