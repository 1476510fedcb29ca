import type { AccessKeySpec, SecretPlace } from '../../../api/types/management.ts'
import type { KeyOwner } from '../../../auth/keys/contract.ts'
import type { KeyValue } from '../../../auth/keys/key-value.ts'

/** What a change asks for, once everything that was left out has been carried over. */
export interface KeyChange {
  readonly name: string
  readonly old: AccessKeySpec
  readonly oldOwner: KeyOwner | undefined
  readonly spec: AccessKeySpec
  readonly owner: KeyOwner | undefined
  /** Only when it is not the value that the key has. */
  readonly value: KeyValue | undefined
  /** Secrets that the key is written into from now on. */
  readonly addedSecrets: readonly SecretPlace[]
}
