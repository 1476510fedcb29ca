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

/** To ask the system for so few takes longer than to use them. They are as good: the end of an access key may come from here. */
const fewBytes = 8
const pool = new Uint8Array(1_024)
let used = pool.length

/** Each byte of the pool is given away once, and is not left in it: it may be part of a secret. */
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
