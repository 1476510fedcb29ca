import type { UserInfo } from '../api/access.ts'
import type { AccessKeyScope } from '../api/types/management.ts'
import type { Authorizer } from '../auth/contract.ts'
import { firstOpinion } from '../auth/first-opinion.ts'
import { createLazyKeyIndex } from '../auth/keys/index/key-index.ts'
import { compileScope, type ScopeEnvironment } from '../auth/scope/compile.ts'
import { createScopedAuthorizer } from '../auth/scope/scoped-authorizer.ts'
import type { ObjectRegistry } from '../registry/registry.ts'
import { readKeyRecord } from './access-keys/record/key-record.ts'
import { KeysByOwner } from './access-keys/record/keys-by-owner.ts'
import { relayAuthorizer } from './links/relay-route.ts'
import { MemberViews } from './member-views/member-views.ts'
import { ownSelfAuthorizer, viewAuthorizer } from './member-views/view-authorizer.ts'
import { ViewChanges } from './member-views/view-changes.ts'
import { impersonatesUnknownUser } from './owners/caller.ts'
import { Directory } from './owners/directory.ts'
import { AccessGrants } from './projects/access-grants.ts'
import { ProjectMembership } from './projects/membership.ts'
import { whoCouldAllow } from './projects/who-could-allow.ts'
import { createTargetAuthorizer } from './proxy/target-authorizer.ts'

export interface RightsOptions {
  /** The management group. */
  readonly group: string
  readonly registry: ObjectRegistry
  /** Rights of users before keys and projects are considered. */
  readonly authorizer: Authorizer
  readonly maxLifetimeSeconds: number
}

export type Rights = ReturnType<typeof createRights>

/** All rights in memory: keys, owners, projects and grants. */
export function createRights({ group, registry, authorizer: users, maxLifetimeSeconds }: RightsOptions) {
  const environment = scopeEnvironment(group, registry)
  const compile = (scope: AccessKeyScope) => compileScope(scope, environment)
  const directory = new Directory()
  const projects = new ProjectMembership(directory, group)
  const grants = new AccessGrants(directory, group)
  /**
   * The rights of users, whatever key they use. Only the relay denies; after it, the most frequent case comes first.
   */
  const all = firstOpinion([relayAuthorizer, projects, users, grants, ownSelfAuthorizer(group)])
  const explained = firstOpinion([all, viewAuthorizer(group), whoCouldAllow(projects, group)])
  const index = createLazyKeyIndex({ compileScope: compile, maxLifetimeSeconds }, readKeyRecord)
  const impersonatesUnknown = (user: UserInfo) => impersonatesUnknownUser(user, directory, index)
  const owners = createTargetAuthorizer(explained, group, impersonatesUnknown)
  const viewChanges = new ViewChanges()
  return {
    environment,
    index,
    keysByOwner: new KeysByOwner(),
    directory,
    projects,
    grants,
    owners,
    viewChanges,
    views: new MemberViews({ all, roles: users, projects, directory, changes: viewChanges }),
    /** The same rights, limited to the scope of the key in use. */
    authorizer: createScopedAuthorizer(owners, environment),
  }
}

function scopeEnvironment(group: string, registry: ObjectRegistry): ScopeEnvironment {
  return {
    managementGroup: group,
    isClusterScoped: (asked, resource, target) => {
      if (target.kind !== 'management') return undefined
      const found = registry.resources().find(({ kind }) => kind.group === asked && kind.plural === resource)
      return found === undefined ? undefined : !found.kind.namespaced
    },
  }
}
