import { hostname } from 'node:os'
import { mintKey } from '../../../auth/keys/values/key-value.ts'
import { tokenHash } from '../../../auth/static-tokens.ts'
import type { Clock } from '../../../base/clock.ts'
import type { Random } from '../../../base/random.ts'
import type { AdminRecord } from '../../../platform/identity/admin-record.ts'

/** The value is shown to the operator once. The cluster gets the record with its hash. */
export interface NewAdminKey {
  readonly value: string
  readonly record: AdminRecord
}

/** `before`: the record that this one replaces. Platforms use the newer one, whatever the clocks of operators say. */
export function newAdminKey(clock: Clock, random: Random, before?: AdminRecord): NewAdminKey {
  const { value, keyId } = mintKey(random)
  const madeAtMs = Math.max(clock.now(), (before?.madeAtMs ?? 0) + 1)
  return {
    value,
    record: { hash: tokenHash(value), keyId, madeBy: `tenant platform install on ${hostname()}`, madeAtMs },
  }
}
