import type { Random } from '../../base/random.ts'
import { hashKey, maxBroughtLength, mintValue } from '../keys/values/key-value.ts'

/** The secret with which a virtual cluster proves its identity: in form like an access key, and useless without one. */
const proofPrefix = 'tpi_'

/** A proof that will be shown once, and the part of it that is stored. */
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

/** A longer value cannot be a proof. */
export function isPossibleProof(value: string): boolean {
  return value !== '' && value.length <= maxBroughtLength
}
