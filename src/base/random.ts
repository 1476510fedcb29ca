import { randomBytes, randomFillSync, randomUUID } from 'node:crypto'

/** The only source of chance. Tests pass one of their own. */
export interface Random {
  uuid(): string
  bytes(length: number): Uint8Array
}

export const systemRandom: Random = {
  uuid: () => randomUUID(),
  bytes: (length) => (length <= fewBytes ? fewFromPool(length) : randomBytes(length)),
}

/** So many make no secret, but a part of a name or a pause. To ask the system for each takes longer than to use it. */
const fewBytes = 8
const pool = new Uint8Array(1_024)
let used = pool.length

/** Each byte of the pool is given away once. */
function fewFromPool(length: number): Uint8Array {
  if (used + length > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += length
  return pool.slice(used - length, used)
}
