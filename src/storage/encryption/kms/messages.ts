import { decodeEtcdMessage, encodeMessage, readBytesCopied, writeBytes, writeText } from '../../etcd/wire.ts'

/** A KMS plugin's report of its health and of the key with which it encrypts. */
export interface KmsStatus {
  readonly version: string
  readonly health: string
  readonly keyId: string
}

/** Data encrypted by a KMS plugin, with everything that the plugin needs to decrypt it. */
export interface KmsEncrypted {
  readonly ciphertext: Buffer
  readonly keyId: string
  /** Entries in their encoded form. */
  readonly annotations: readonly Buffer[]
}

export function decodeStatus(bytes: Uint8Array): KmsStatus {
  let status: KmsStatus = { version: '', health: '', keyId: '' }
  decodeEtcdMessage(bytes, (field, reader) => {
    if (field === 1) status = { ...status, version: reader.string() }
    else if (field === 2) status = { ...status, health: reader.string() }
    else if (field === 3) status = { ...status, keyId: reader.string() }
    else return false
    return true
  })
  return status
}

export function encodeEncrypt(plaintext: Uint8Array, uid: string): Buffer {
  return encodeMessage((writer) => {
    writeBytes(writer, 1, plaintext)
    writeText(writer, 2, uid)
  })
}

export function decodeEncrypted(bytes: Uint8Array): KmsEncrypted {
  let ciphertext: Buffer = Buffer.alloc(0)
  let keyId = ''
  const annotations: Buffer[] = []
  decodeEtcdMessage(bytes, (field, reader) => {
    if (field === 1) ciphertext = readBytesCopied(reader)
    else if (field === 2) keyId = reader.string()
    else if (field === 3) annotations.push(readBytesCopied(reader))
    else return false
    return true
  })
  return { ciphertext, keyId, annotations }
}

export function encodeDecrypt({ ciphertext, keyId, annotations }: KmsEncrypted, uid: string): Buffer {
  return encodeMessage((writer) => {
    writeBytes(writer, 1, ciphertext)
    writeText(writer, 2, uid)
    writeText(writer, 3, keyId)
    for (const entry of annotations) writeBytes(writer, 4, entry)
  })
}

export function decodePlaintext(bytes: Uint8Array): Buffer {
  let plaintext: Buffer = Buffer.alloc(0)
  decodeEtcdMessage(bytes, (field, reader) => {
    if (field !== 1) return false
    plaintext = readBytesCopied(reader)
    return true
  })
  return plaintext
}
