import type { AccessKeySpec } from '../../../api/types/management.ts'
import type { WriteRequest } from '../../../registry/contract.ts'
import type { KeySettings } from '../parts.ts'
import { accessKeyOf } from '../record/access-key.ts'
import type { RotatedKey } from '../rotation/rotated-key.ts'

type Warned = Pick<WriteRequest, 'warn'>

/** The spec keeps the value as written, so that a manifest shows no diff; a warning reports the actual limit. */
export function warnOfCap({ warn }: Warned, { ttl = 0 }: AccessKeySpec, { maxLifetimeSeconds }: KeySettings): void {
  if (maxLifetimeSeconds === 0 || (ttl !== 0 && ttl <= maxLifetimeSeconds)) return
  warn(
    `spec.ttl: this platform lets no access key live longer than ${maxLifetimeSeconds} seconds; see status.expiresAt`,
  )
}

/** A new value does not revive a key that is not active. A key keeps only one previous value. */
export function warnOfRotation({ warn }: Warned, { object, endsOlderValue }: RotatedKey): void {
  const phase = accessKeyOf(object).status?.phase
  if (phase !== 'Active') warn(`the access key is ${String(phase).toLowerCase()}: its new value is refused as well`)
  if (endsOlderValue) warn('the value from before the last rotation ended early, although its overlap had not')
}
