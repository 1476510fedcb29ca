import type { Account } from './account.ts'

/** Objects of others on the host: each version was written by their owner, and only their owner deletes them. */
export function foreignTouched({ sights, foreign }: Account): readonly string[] {
  return sights.flatMap(({ side, type, object }) => {
    const known = side === 'host' ? foreign.get(object.metadata.uid) : undefined
    if (known === undefined || known.wasCopy) return []
    if (type === 'DELETED') return known.isDeleted ? [] : [`${known.what} of the host was deleted`]
    const { resourceVersion = '', deletionTimestamp } = object.metadata
    // A server shows that a Pod is being deleted before it is gone, even without a grace period.
    const isOwnersDeletion = known.isDeleted && deletionTimestamp !== undefined
    return isOwnersDeletion || known.versions.has(resourceVersion)
      ? []
      : [`${known.what} of the host was changed: ${JSON.stringify(object)}`]
  })
}
