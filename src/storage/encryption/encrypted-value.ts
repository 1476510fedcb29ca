import { createCipheriv, createDecipheriv } from 'node:crypto'
import { systemRandom } from '../../base/random.ts'

/** Only encrypted values begin with this: JSON begins with a brace. */
const mark = Buffer.from('tenant:enc:v1:')
const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
export const dataKeyBytes = 32

/** A wrapped data key, as stored before each value that was encrypted with it. */
export interface WrappedKey {
  /** The name of the wrapping key. */
  readonly name: string
  readonly wrapped: Buffer
}

export interface EncryptedValue extends WrappedKey {
  /** Everything before the ciphertext. It is authenticated too. */
  readonly header: Buffer
  readonly body: Buffer
}

export function isEncrypted(value: Uint8Array): boolean {
  return value[0] === mark[0] && value.length > mark.length && mark.compare(value, 0, mark.length) === 0
}

/** The mark, then the name of the wrapping key and the wrapped data key, each preceded by its length. */
export function printHeader({ name, wrapped }: WrappedKey): Buffer {
  const nameBytes = Buffer.from(name)
  const lengths = Buffer.alloc(3)
  lengths.writeUInt8(nameBytes.length, 0)
  lengths.writeUInt16BE(wrapped.length, 1)
  return Buffer.concat([mark, lengths, nameBytes, wrapped])
}

/** Undefined if the value is too short. */
export function parseEncrypted(value: Uint8Array): EncryptedValue | undefined {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  const lengthsEnd = mark.length + 3
  if (bytes.length < lengthsEnd) return undefined
  const nameEnd = lengthsEnd + bytes.readUInt8(mark.length)
  const end = nameEnd + bytes.readUInt16BE(mark.length + 1)
  if (bytes.length < end + nonceBytes + tagBytes) return undefined
  return {
    name: bytes.toString('utf8', lengthsEnd, nameEnd),
    wrapped: bytes.subarray(nameEnd, end),
    header: bytes.subarray(0, end),
    body: bytes.subarray(end),
  }
}

/** Binds the value to its storage key: it cannot be decrypted under another one. */
export function encryptValue(storageKey: string, value: Uint8Array, header: Buffer, dataKey: Buffer): Buffer {
  return Buffer.concat([header, encryptBytes(dataKey, value, contextOf(header, storageKey))])
}

/** Throws if the value was not encrypted for that storage key. */
export function decryptValue(storageKey: string, { header, body }: EncryptedValue, dataKey: Buffer): Buffer {
  return decryptBytes(dataKey, body, contextOf(header, storageKey))
}

/** The header contains its own length, so no other pair of header and key yields the same bytes. */
function contextOf(header: Buffer, storageKey: string): Buffer {
  return Buffer.concat([header, Buffer.from(storageKey)])
}

/** A fresh nonce, the ciphertext and the tag. */
export function encryptBytes(key: Buffer, value: Uint8Array, context: Buffer): Buffer {
  const nonce = systemRandom.bytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce)
  cipher.setAAD(context)
  return Buffer.concat([nonce, cipher.update(value), cipher.final(), cipher.getAuthTag()])
}

export function decryptBytes(key: Buffer, bytes: Buffer, context: Buffer): Buffer {
  const tagStart = bytes.length - tagBytes
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decipher.setAAD(context)
  decipher.setAuthTag(bytes.subarray(tagStart))
  return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, tagStart)), decipher.final()])
}
