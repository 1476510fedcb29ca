import type { Random } from '../../base/random.ts'
import { hashKey, maxBroughtLength, mintValue } from '../keys/key-value.ts'

/** What a virtual cluster shows to be taken for itself: in form like an access key, and good for nothing without one. */
export const proofPrefix = 'tpi_'

/** A proof that is about to be shown once, and what is kept of it. */
export interface Proof {
  readonly value: string
  readonly hash: string
}

export function mintProof(random: Random): Proof {
  const { value, hash } = mintValue(proofPrefix, random)
  return { value, hash }
}

export function hashProof(value: string): string {
  return hashKey(value)
}

/** Whatever is longer is none. */
export function isPossibleProof(value: string): boolean {
  return value !== '' && value.length <= maxBroughtLength
}
