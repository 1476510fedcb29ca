import { hash } from 'node:crypto'
import { type FieldError, invalidFieldAs } from '../../../api/field-error.ts'
import type { Random } from '../../../base/random.ts'
import type { KeyHash } from '../contract.ts'
import { base62, base62OfBytes, base62Value, isBase62, randomBase62 } from './base62.ts'
import { crc32OfStart } from './crc32.ts'

/**
 * A key is `tpk_`, a public id of 12 characters, `_`, 43 random characters (256 bits), and 6 characters of checksum.
 * The checksum lets scanners recognize a key, and reveals a typo without a lookup.
 */
export const keyPrefix = 'tpk_'

export const idLength = 12
const secretLength = 43
const checksumLength = 6
const secretStart = keyPrefix.length + idLength + 1
const checksumStart = secretStart + secretLength

export const minBroughtLength = 32
export const maxBroughtLength = 512

/** A value that will be shown once, and the parts of it that are stored. */
export interface KeyValue {
  readonly value: string
  readonly keyId: string
  readonly hash: KeyHash
}

export function mintKey(random: Random): KeyValue {
  return mintValue(keyPrefix, random)
}

/** The same form with another prefix, for other secrets that are shown once. */
export function mintValue(prefix: string, random: Random): KeyValue {
  const keyId = randomBase62(idLength, random)
  const body = `${prefix}${keyId}_${randomBase62(secretLength, random)}`
  const value = body + base62(crc32OfStart(body, body.length), checksumLength)
  return { value, keyId, hash: hashKey(value) }
}

/**
 * A value that the caller brings. Its id is derived from its hash, so it cannot pass for another key in an audit log.
 */
export function broughtKey(value: string): KeyValue {
  return { value, keyId: idOfHash(hashKey(value)), hash: hashKey(value) }
}

export function hashKey(value: string): KeyHash {
  return hash('sha256', value, 'base64url')
}

/** Looks like a minted key but cannot be one, so no lookup is needed. */
export function isMistyped(token: string): boolean {
  return token.startsWith(keyPrefix) && !hasChecksum(token)
}

/** Validates a value that the caller brings. The value itself is never part of the message. */
export function validateBroughtKey(field: string, value: string): readonly FieldError[] {
  const wrong = (problem: string) => [invalidFieldAs(field, '"[hidden]"', problem)]
  if (value.length < minBroughtLength) return wrong(`must have at least ${minBroughtLength} characters`)
  if (value.length > maxBroughtLength) return wrong(`must have no more than ${maxBroughtLength} characters`)
  if (!/^[\x21-\x7e]+$/.test(value)) return wrong('must consist of visible ASCII characters without spaces')
  if (isMistyped(value)) return wrong(`a key that begins with ${keyPrefix} must have the checksum of one`)
  return []
}

/** Avoids patterns and substrings, because it runs for every request. */
function hasChecksum(token: string): boolean {
  return (
    token.length === checksumStart + checksumLength &&
    token[secretStart - 1] === '_' &&
    isBase62(token, keyPrefix.length, secretStart - 1) &&
    isBase62(token, secretStart, token.length) &&
    base62Value(token, checksumStart) === crc32OfStart(token, checksumStart)
  )
}

/** For a minted value, the id that it contains. */
export function publicIdOf(value: string): string {
  const isMinted = value.startsWith(keyPrefix) && hasChecksum(value)
  return isMinted ? value.slice(keyPrefix.length, secretStart - 1) : idOfHash(hashKey(value))
}

/** Hashed once more, so that the id reveals nothing of the stored hash. */
export function idOfHash(keyHash: KeyHash): string {
  return base62OfBytes(hash('sha256', `key id ${keyHash}`, 'buffer'), idLength)
}
