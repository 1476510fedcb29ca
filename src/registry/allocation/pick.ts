import type { Random } from '../../base/random.ts'
import type { ExclusiveClaims } from './claims.ts'

const randomAttempts = 16

/**
 * Claims any free value: first a few at random, which nearly always succeeds, then all in order. Undefined if all are
 * taken.
 */
export async function claimAny(
  claims: ExclusiveClaims,
  owner: string,
  size: number,
  valueAt: (index: number) => string,
  random: Random,
): Promise<string | undefined> {
  for (let attempt = 0; attempt < randomAttempts; attempt += 1) {
    const value = valueAt(randomIndex(random, size))
    if (await claims.claim(value, owner)) return value
  }
  const taken = new Set((await claims.all()).map(({ value }) => value))
  for (let index = 0; index < size; index += 1) {
    const value = valueAt(index)
    if (!taken.has(value) && (await claims.claim(value, owner))) return value
  }
  return undefined
}

function randomIndex(random: Random, size: number): number {
  const bytes = random.bytes(6)
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0) % size
}
