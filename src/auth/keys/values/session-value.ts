import { hash } from 'node:crypto'
import type { Random } from '../../../base/random.ts'
import type { KeyHash } from '../contract.ts'
import { randomBase62 } from './base62.ts'
import { idLength } from './key-value.ts'

/**
 * A session is identified by two values that are valid only together: the handle, which a browser keeps in a cookie and
 * sends to every port of the host, and the counterpart, which only pages of this origin have. Neither is a bearer
 * token, nor are both.
 */
export interface SessionHalves {
  readonly handle: string
  readonly counterpart: string
}

/** 256 bits in each half. */
const halfLength = 43
const half = /^[0-9A-Za-z]{43}$/

/** Halves that will be returned once, and the parts that are stored. */
export interface MintedSession {
  readonly halves: SessionHalves
  readonly keyId: string
  readonly hash: KeyHash
}

export function mintSession(random: Random): MintedSession {
  const halves = { handle: randomBase62(halfLength, random), counterpart: randomBase62(halfLength, random) }
  return { halves, keyId: randomBase62(idLength, random), hash: hashSession(halves) }
}

/** A text of another form need not be looked up. */
export function isSessionHalf(text: string): boolean {
  return half.test(text)
}

/** No bearer token has this hash, because none begins like this. */
export function hashSession({ handle, counterpart }: SessionHalves): KeyHash {
  return hash('sha256', `session\0${handle}\0${counterpart}`, 'base64url')
}
