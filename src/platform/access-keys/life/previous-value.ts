import type { AccessKeyStatus } from '../../../api/types/management.ts'
import type { PreviousUser } from '../../../auth/keys/contract.ts'
import { timestamp } from '../../../base/clock.ts'
import type { ResourceContext } from '../../../registry/context.ts'
import { type StoredDocument, sealedBytes } from '../../../registry/document.ts'
import { storeChanged } from '../../../registry/stored-write.ts'
import { accessKeyOf } from '../record/access-key.ts'
import { sealedOf } from '../record/key-record.ts'
import { sealedForm } from '../record/sealed-key.ts'

type Rotation = NonNullable<AccessKeyStatus['rotation']>

/** Adds the clients that still use the previous value. */
export function rotationStatus(rotation: Rotation, users: readonly PreviousUser[]): Rotation {
  if (users.length === 0) return rotation
  const lastMs = Math.max(...users.map((user) => user.lastActivityMs))
  return {
    ...rotation,
    previousLastActivity: timestamp(lastMs),
    previousUsers: users.map(({ from, userAgent, lastActivityMs }) => ({
      from,
      userAgent,
      lastActivity: timestamp(lastActivityMs),
    })),
  }
}

/** Forgets the previous value once its overlap is over. */
export async function endPreviousValue(keys: ResourceContext, document: StoredDocument): Promise<void> {
  for (let current: StoredDocument | undefined = document; current !== undefined; ) {
    const sealed = sealedOf(current)
    if (sealed?.previous === undefined || sealed.previous.validUntilMs > keys.engine.clock.now()) return
    const { previous: _, ...kept } = sealed
    const { rotation: __, ...status } = accessKeyOf(current.object).status ?? {}
    const stored = await storeChanged(keys, current, { ...current.object, status }, sealedBytes(sealedForm(kept)))
    current = stored.outcome === 'written' ? undefined : stored.current
  }
}
