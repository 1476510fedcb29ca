import type { Orphans } from './access-keys/life/orphans.ts'
import type { KeySettings } from './access-keys/parts.ts'
import { feedKeys } from './access-keys/record/key-feed.ts'
import { followCache } from './follow.ts'
import { feedViewChanges, type ViewChangeSources } from './member-views/feed-changes.ts'
import { feedDirectory } from './owners/feed.ts'
import { feedGrants, grantingKinds } from './projects/access-grants.ts'
import type { Quotas } from './quotas/quotas.ts'
import type { Rights } from './rights-index.ts'

/** Keeps the state that every request consults in step with the store. Returns a function that stops it. */
export function feedRights(
  { index, keysByOwner, directory, projects, grants, viewChanges }: Rights,
  { contextOf, ...sources }: ViewChangeSources,
  settings: KeySettings,
  orphans: Orphans,
  quotas: Quotas,
): readonly (() => void)[] {
  const gone = orphans.add
  return [
    feedDirectory(directory, contextOf('User').cache, contextOf('Team').cache, { index, onGone: gone }),
    followCache(contextOf('Project').cache, {
      put: ({ object }) => projects.put(object),
      remove: ({ name }) => projects.remove(name),
      unreadable: ({ name }) => projects.remove(name),
    }),
    ...grantingKinds.map((name) => feedGrants(grants, contextOf(name))),
    feedKeys(contextOf('OwnedAccessKey').cache, {
      index,
      keysByOwner,
      ledger: quotas.keys,
      directory,
      settings,
      onStale: (owner) => {
        directory.block(owner)
        gone(owner)
      },
    }),
    ...quotas.connect(),
    ...feedViewChanges(viewChanges, { contextOf, ...sources }),
  ]
}
