import type { Kind } from '../../api/kind.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Hooks } from '../../registry/context.ts'
import { isPlatform } from '../platform-user.ts'
import { requiringRights } from '../required-rights.ts'
import { requireAll, rightsOnObject } from '../rights.ts'
import { accessGrantsOf } from './access-grants.ts'
import type { AccessGrant } from './grant-table.ts'
import { projectMembers } from './members.ts'

/**
 * Callers cannot grant rights that they lack, neither by changing an object nor by creating it: granting a verb in
 * `spec.access` takes that verb on the object; granting a role inside, or membership in a project, takes `bind` on it,
 * which admins of the project have. Grants of the object itself count only once it is stored.
 */
export function grantingHooks(kind: Kind): Hooks {
  return {
    ...requiringRights((object, old, user) => rightsOnObject(kind, object, user, verbsFor(kind, object, old))),
    admitDelete: async (object, request) => {
      if (isPlatform(request.user) || !accessGrantsOf(object).some(givesRole)) return
      await requireAll(request, rightsOnObject(kind, object, request.user, ['bind']))
    },
  }
}

function verbsFor(kind: Kind, object: KubeObject, old: KubeObject | undefined): ReadonlySet<string> {
  const [now, before] = [accessGrantsOf(object), old === undefined ? [] : accessGrantsOf(old)]
  const added = without(now, before)
  // A role may be granted in place of a stronger one: removing it can amount to granting that one.
  const changesRoles = [...added, ...without(before, now)].some(givesRole)
  const isJoined =
    kind.kind === 'Project' && without(projectMembers(object), old === undefined ? [] : projectMembers(old)).length > 0
  return new Set([...added.flatMap(({ verbs }) => verbs), ...(changesRoles || isJoined ? ['bind'] : [])])
}

/** Both lists have thousands of entries in a large project. Members of an entry always have the same order. */
function without<T>(list: readonly T[], others: readonly T[]): readonly T[] {
  const known = new Set(others.map((other) => JSON.stringify(other)))
  return list.filter((each) => !known.has(JSON.stringify(each)))
}

function givesRole({ clusterRole }: AccessGrant): boolean {
  return clusterRole !== ''
}
