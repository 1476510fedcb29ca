import { randomBytes, randomFillSync, randomUUID } from 'node:crypto'

/** The only source of randomness. Tests pass their own. */
export interface Random {
  uuid(): string
  bytes(length: number): Uint8Array
}

export const systemRandom: Random = {
  uuid: () => randomUUID(),
  bytes: (length) => (length <= fewBytes ? fewFromPool(length) : randomBytes(length)),
}

/**
 * Asking the system for a few bytes takes longer than using them. The pool is just as secure, and must be: part of an
 * access key may come from it.
 */
const fewBytes = 8
const pool = new Uint8Array(1_024)
let used = pool.length

/** Each byte of the pool is used once and then erased, since it may be part of a secret. */
function fewFromPool(length: number): Uint8Array {
  if (used + length > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const bytes = pool.slice(used, used + length)
  pool.fill(0, used, used + length)
  used += length
  return bytes
}
