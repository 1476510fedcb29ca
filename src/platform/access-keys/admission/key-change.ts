import type { AccessKeySpec, SecretPlace } from '../../../api/types/management.ts'
import type { KeyOwner } from '../../../auth/keys/contract.ts'
import type { KeyValue } from '../../../auth/keys/values/key-value.ts'

/** A requested change, after everything that was left out has been carried over. */
export interface KeyChange {
  readonly name: string
  readonly old: AccessKeySpec
  readonly oldOwner: KeyOwner | undefined
  readonly spec: AccessKeySpec
  readonly owner: KeyOwner | undefined
  /** Undefined if the key already has this value. */
  readonly value: KeyValue | undefined
  /** Secrets that receive the key's value from now on. */
  readonly addedSecrets: readonly SecretPlace[]
}
