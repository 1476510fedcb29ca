import type { KubeObject } from '../../api/object.ts'
import type { ResourceContext } from '../../registry/context.ts'
import { uidOf } from '../../registry/controllers/owner-state.ts'
import { idOf, type Writer } from '../run/writer.ts'
import { adoptedBy, type Claims, releasedBy } from './claims.ts'
import type { Owned } from './owned.ts'

export interface ClaimKinds {
  readonly owners: ResourceContext
  readonly dependents: ResourceContext
}

/** Takes what is free, and lets go of what no longer matches. */
export async function commitClaims(
  writer: Writer,
  { owners, dependents }: ClaimKinds,
  owner: KubeObject,
  { adopted, released }: Pick<Claims<Owned>, 'adopted' | 'released'>,
): Promise<void> {
  for (const each of released) await writer.edit(dependents, each, releasedBy(owner, each))
  for (const each of adopted) {
    const adopt = adoptedBy(owner, each)
    await writer.edit(dependents, each, (object) => (isThere(owners, owner) ? adopt(object) : undefined))
  }
}

/** What an owner that is gone adopts would be collected with it. */
function isThere({ cache }: ResourceContext, owner: KubeObject): boolean {
  const now = cache.get(idOf(owner))
  return now !== undefined && uidOf(now) === owner.metadata.uid && !now.isBeingDeleted
}
