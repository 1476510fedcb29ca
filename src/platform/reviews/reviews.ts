import type { ResourceContext } from '../../registry/context.ts'
import type { ReviewResource } from '../../server/reviews/contract.ts'
import type { KeyParts } from '../access-keys/parts.ts'
import type { Trail } from '../audit/trail/trail.ts'
import type { ManagedSecrets } from '../managed-secrets/managed-secrets.ts'
import { auditQueries } from './audit-query.ts'
import { connectionKeys } from './connection-keys.ts'
import { advice } from './key-advice.ts'
import { keyAudit } from './key-audit.ts'
import { type Deciders, explanation } from './key-explanation.ts'
import { keyHolders } from './key-holders.ts'
import { rotation } from './key-rotation.ts'
import { keyUsage } from './key-usage.ts'
import { keysOfOwner } from './keys-of-owner.ts'
import { patchEvaluations } from './patch-evaluation.ts'
import { type RegistrationParts, registration } from './registration.ts'
import { reissue } from './reissue.ts'
import { self } from './self.ts'
import { configReviews } from './tenant-config.ts'

export interface PlatformReviewParts {
  readonly keyParts: KeyParts
  /** A kind of the management group. */
  readonly contextOf: (kind: string) => ResourceContext
  readonly secrets: () => ResourceContext
  readonly managedSecrets: ManagedSecrets
  readonly deciders: Deciders
  readonly registration: RegistrationParts
  /** Absent: there is no audit log to read. */
  readonly trail: Trail | undefined
}

type MakeReview = (parts: PlatformReviewParts, keys: () => ResourceContext) => ReviewResource

export type PlatformReviewTable = Readonly<Record<string, MakeReview>>

/** Every question that the platform answers, by its path below the management group, in the order of discovery. */
export const platformReviews: PlatformReviewTable = {
  'ownedaccesskeys/NAME/rotate': ({ keyParts, managedSecrets }, keys) => rotation(keyParts, keys, managedSecrets),
  'ownedaccesskeys/NAME/explain': ({ keyParts, deciders }, keys) => explanation(keyParts, keys, deciders),
  'ownedaccesskeys/NAME/advise': ({ keyParts }, keys) => advice(keyParts, keys),
  selves: ({ keyParts }) => self(keyParts),
  connectionkeys: ({ keyParts }, keys) => connectionKeys(keyParts, keys),
  'users/NAME/accesskeys': ({ keyParts, contextOf }) => keysOfOwner('user', keyParts, contextOf),
  'teams/NAME/accesskeys': ({ keyParts, contextOf }) => keysOfOwner('team', keyParts, contextOf),
  'virtualclusterinstances/NAME/register': (parts) => registration(parts.registration),
  'virtualclusterinstances/NAME/reissue': (parts) => reissue(parts.registration),
  'ownedaccesskeys/NAME/usage': ({ keyParts, trail }, keys) => keyUsage(keyParts, keys, trail),
  'ownedaccesskeys/NAME/audit': ({ keyParts, trail }, keys) => keyAudit(keyParts.kind, keys, trail),
  'ownedaccesskeys/NAME/holders': ({ keyParts, secrets, managedSecrets, contextOf }, keys) =>
    keyHolders(keyParts, keys, secrets, managedSecrets, () => contextOf('VirtualClusterInstance')),
  auditqueries: ({ keyParts, trail }) => auditQueries(keyParts.kind, trail),
  patchevaluations: ({ keyParts }) => patchEvaluations(keyParts.kind),
  tenantconfigreviews: ({ keyParts }) => configReviews(keyParts.kind),
}

export function createPlatformReviews(
  table: PlatformReviewTable,
  parts: PlatformReviewParts,
): readonly ReviewResource[] {
  const keys = () => parts.contextOf(parts.keyParts.kind.kind)
  return Object.values(table).map((make) => make(parts, keys))
}
