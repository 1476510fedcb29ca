import type { Kind } from '../../api/kind.ts'
import type { Authorizer } from '../../auth/contract.ts'
import type { KeyIndex } from '../../auth/keys/contract.ts'
import type { ScopeEnvironment } from '../../auth/scope/compile.ts'
import type { Clock } from '../../base/clock.ts'
import type { Random } from '../../base/random.ts'
import type { ObjectId, StoredDocument } from '../../registry/document.ts'
import type { RequireUpdate } from '../managed-secrets/adding-rights.ts'
import type { ManagedSecrets } from '../managed-secrets/managed-secrets.ts'
import type { Directory } from '../owners/directory.ts'
import type { KeysByOwner } from './record/keys-by-owner.ts'
import type { KeyUses } from './usage/key-uses.ts'

/** Dependencies of the code for access keys. */
export interface KeyParts {
  readonly kind: Kind
  readonly index: KeyIndex
  readonly keysByOwner: KeysByOwner
  readonly uses: KeyUses
  /** By the name of its OwnedAccessKey. */
  readonly storedKey: (name: string) => StoredDocument | undefined
  /** Whether the platform has an object. */
  readonly isStored: (kind: string, id: ObjectId) => boolean
  readonly directory: Directory
  /** Applies the scope of the key in use. */
  readonly authorizer: Authorizer
  readonly environment: ScopeEnvironment
  readonly clock: Clock
  readonly random: Random
  readonly settings: KeySettings
  /** The Secrets that key values are written to. */
  readonly secrets: Pick<ManagedSecrets, 'find'> & { readonly requireUpdate: RequireUpdate }
}

export interface KeySettings {
  /** Caps the life of every key, counted from when its value was made. 0: no cap. */
  readonly maxLifetimeSeconds: number
  /** How long an expired key is kept as a record. */
  readonly retentionSeconds: number
  /** How often key usage is stored; a crash loses at most this much. */
  readonly usageIntervalSeconds: number
  /**
   * With several replicas: how long this one accepts keys without a confirmation by the store that its state is
   * current.
   */
  readonly confirmWithinSeconds: number
  /** How long an unused session lives. */
  readonly sessionIdleSeconds: number
  /** How long a session lives, however much it is used. */
  readonly sessionSeconds: number
  /** How often a provider is asked again about a signed-in user. */
  readonly identityRefreshSeconds: number
  /** Starting one more ends another: see `sessionsToEnd`. */
  readonly sessionsPerOwner: number
  /** The same limit for connection keys of kubectl. */
  readonly connectionKeysPerOwner: number
}

export const defaultKeySettings: KeySettings = {
  maxLifetimeSeconds: 0,
  retentionSeconds: 30 * 24 * 3600,
  usageIntervalSeconds: 300,
  confirmWithinSeconds: 5,
  sessionIdleSeconds: 12 * 3600,
  sessionSeconds: 7 * 24 * 3600,
  identityRefreshSeconds: 15 * 60,
  sessionsPerOwner: 50,
  connectionKeysPerOwner: 200,
}
