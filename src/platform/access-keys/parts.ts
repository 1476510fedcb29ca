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

/** What the behavior of access keys works with. */
export interface KeyParts {
  readonly kind: Kind
  readonly index: KeyIndex
  readonly keysByOwner: KeysByOwner
  readonly uses: KeyUses
  /** By the name of the object. */
  readonly storedKey: (name: string) => StoredDocument | undefined
  /** Whether the platform has an object. */
  readonly isStored: (kind: string, id: ObjectId) => boolean
  readonly directory: Directory
  /** With the scope of the key in use applied. */
  readonly authorizer: Authorizer
  readonly environment: ScopeEnvironment
  readonly clock: Clock
  readonly random: Random
  readonly settings: KeySettings
  /** Those that keys are written into. */
  readonly secrets: Pick<ManagedSecrets, 'find'> & { readonly requireUpdate: RequireUpdate }
}

export interface KeySettings {
  /** Caps every key, counted from when its value was made. 0: no cap. */
  readonly maxLifetimeSeconds: number
  /** How long an expired key stays as a record. */
  readonly retentionSeconds: number
  /** How often it is stored what keys were used for: a crash loses that much. */
  readonly usageIntervalSeconds: number
  /** With several replicas: how long keys are accepted by what this one knows without the store confirming it. */
  readonly confirmWithinSeconds: number
  /** How long a session lives without being used. */
  readonly sessionIdleSeconds: number
  /** How long it lives, however much it is used. */
  readonly sessionSeconds: number
  /** How often a provider is asked again about a user who is signed in. */
  readonly identityRefreshSeconds: number
  /** A further one ends the one that has not been used for longest. */
  readonly sessionsPerOwner: number
  /** The same for the keys of connections of kubectl. */
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
