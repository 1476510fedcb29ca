import type { ResourceContext } from '../../registry/context.ts'
import type { ReviewResource } from '../../server/reviews/contract.ts'
import type { KeyParts } from '../access-keys/parts.ts'
import type { Audit, AuditOptions } from '../audit/audit.ts'
import { auditQueries, keyAudit } from '../audit-query/reviews.ts'
import { createTrail } from '../audit-query/trail.ts'
import { configReviews } from '../config-review/review.ts'
import { keyHolders } from '../key-holders/holders.ts'
import { keyUsage } from '../key-usage/usage.ts'
import type { ManagedSecrets } from '../managed-secrets/managed-secrets.ts'
import { patchEvaluations } from '../patch-evaluation/review.ts'

export interface ConsoleReviewParts {
  readonly keyParts: KeyParts
  readonly keys: () => ResourceContext
  readonly secrets: () => ResourceContext | undefined
  readonly virtualClusters: () => ResourceContext
  readonly managedSecrets: Pick<ManagedSecrets, 'look'>
  /** Absent: nothing is written, so nothing can be told. */
  readonly audit: (AuditOptions & Pick<Audit, 'flush'>) | undefined
}

/** What the console shows beyond the objects themselves. Everybody else may ask it too. */
export function consoleReviews({
  keyParts,
  keys,
  secrets,
  virtualClusters,
  managedSecrets,
  audit,
}: ConsoleReviewParts): readonly ReviewResource[] {
  const trail = audit && createTrail(audit)
  return [
    keyUsage(keyParts, keys, trail),
    keyAudit(keyParts.kind, keys, trail),
    keyHolders(keyParts, keys, secrets, managedSecrets, virtualClusters),
    auditQueries(keyParts.kind, trail),
    patchEvaluations(keyParts.kind),
    configReviews(keyParts.kind),
  ]
}
