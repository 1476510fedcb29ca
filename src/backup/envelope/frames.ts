import { createCipheriv, createDecipheriv, hash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { BackupRefused } from '../backup-refused.ts'
import { type BackupKey, keyOfBackup } from './keyring.ts'

/**
 * The encrypted part of a backup is a sequence of frames: whether it is the last one (1 byte), its length (4,
 * big-endian), AES-256-GCM of its compressed content, and the tag (16). As in the STREAM construction, the nonce is the
 * number of the frame (11 bytes) and whether it is the last (1): a frame that is changed, moved, removed or added is
 * noticed, and so is a premature end.
 */
const algorithm = 'aes-256-gcm'
const tagLength = 16
export const frameHeadLength = 5
/** A frame is closed once it holds this much, before compression. */
export const frameFullBytes = 1024 * 1024
/** Including one more record of the maximum size. */
const maxContentBytes = 6 * 1024 * 1024
const maxSealedBytes = maxContentBytes + 64 * 1024

export interface BackupBinding {
  readonly key: BackupKey
  readonly salt: Buffer
  /** As they precede the frames. */
  readonly headerBytes: Buffer
}

function boundKey({ key, salt, headerBytes }: BackupBinding): Buffer {
  return keyOfBackup(key, salt, hash('sha256', headerBytes, 'buffer'))
}

export class FrameSealer {
  readonly #key: Buffer
  #number = 0

  constructor(binding: BackupBinding) {
    this.#key = boundKey(binding)
  }

  seal(content: Buffer, isLast: boolean): Buffer {
    if (content.length > maxContentBytes) throw new Error(`A frame holds ${content.length} bytes, which is too much.`)
    const cipher = createCipheriv(algorithm, this.#key, nonceOf(this.#number, isLast))
    this.#number += 1
    const sealed = Buffer.concat([
      cipher.update(deflateRawSync(content, { level: 1 })),
      cipher.final(),
      cipher.getAuthTag(),
    ])
    const head = Buffer.alloc(frameHeadLength)
    head[0] = isLast ? 1 : 0
    head.writeUInt32BE(sealed.length, 1)
    return Buffer.concat([head, sealed])
  }
}

/** What a frame claims about itself. Trusted only once it has been decrypted. */
export interface FrameHead {
  readonly isLast: boolean
  readonly length: number
}

export class FrameOpener {
  readonly #key: Buffer
  #number = 0

  constructor(binding: BackupBinding) {
    this.#key = boundKey(binding)
  }

  /** Throws BackupRefused for more than any frame can have, before it is read. */
  readHead(head: Buffer): FrameHead {
    if (head.length < frameHeadLength) throw this.#refused('is missing: the backup is cut off')
    const length = head.readUInt32BE(1)
    if (length > maxSealedBytes) throw this.#refused(`claims ${length} bytes; the most is ${maxSealedBytes}`)
    return { isLast: head[0] === 1, length }
  }

  open(sealed: Buffer, { isLast, length }: FrameHead): Buffer {
    if (sealed.length < length) throw this.#refused('is cut off: the backup is not whole')
    if (length < tagLength) throw this.#refused('is too short')
    const content = this.#decrypted(sealed, isLast)
    this.#number += 1
    try {
      return inflateRawSync(content, { maxOutputLength: maxContentBytes })
    } catch (error) {
      throw new BackupRefused(`frame ${this.#number} holds more than ${maxContentBytes} bytes`, { cause: error })
    }
  }

  #decrypted(sealed: Buffer, isLast: boolean): Buffer {
    const decipher = createDecipheriv(algorithm, this.#key, nonceOf(this.#number, isLast), {
      authTagLength: tagLength,
    })
    decipher.setAuthTag(sealed.subarray(sealed.length - tagLength))
    try {
      return Buffer.concat([decipher.update(sealed.subarray(0, sealed.length - tagLength)), decipher.final()])
    } catch (error) {
      throw this.#refused('was changed or moved, or the header was changed', error)
    }
  }

  #refused(what: string, cause?: unknown): BackupRefused {
    return new BackupRefused(`frame ${this.#number + 1} ${what}`, { cause })
  }
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(number), 3)
  nonce[11] = isLast ? 1 : 0
  return nonce
}
