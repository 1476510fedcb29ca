import type { AccessKeySpec } from '../../api/management/access-key-types.ts'
import type { WriteRequest } from '../../registry/contract.ts'
import type { KeySettings } from './parts.ts'

/** The wish stays as it was written, so that whoever keeps it in a file sees no difference; what counts is told. */
export function warnOfCap(
  { warn }: WriteRequest,
  { ttl = 0 }: AccessKeySpec,
  { maxLifetimeSeconds }: KeySettings,
): void {
  if (maxLifetimeSeconds === 0 || (ttl !== 0 && ttl <= maxLifetimeSeconds)) return
  warn(
    `spec.ttl: this platform lets no access key live longer than ${maxLifetimeSeconds} seconds; see status.expiresAt`,
  )
}
