import type { Attributes, Decision, UserInfo } from '../../src/api/access.ts'
import type { Authorizer } from '../../src/auth/contract.ts'
import { createRbacIndex } from '../../src/auth/rbac/rbac-index.ts'
import { compileScope, type ScopeEnvironment } from '../../src/auth/scope/compile.ts'
import { createScopedAuthorizer } from '../../src/auth/scope/scoped-authorizer.ts'
import { livesOutside, managementGroup, type Outcome, type Request, type Rights, type Scope } from './model.ts'

export const environment: ScopeEnvironment = { managementGroup, isClusterScoped: livesOutside }

/** The product's answers for one owner and one key. */
export interface Engine {
  readonly authorizer: Authorizer
  readonly user: UserInfo
  outcomeOf(request: Request): Outcome
}

export function engineOf(rights: Rights, scope: Scope | undefined): Engine {
  const owner = ownerAuthorizer(rights)
  const authorizer = createScopedAuthorizer(owner, environment)
  const user = userOf(rights, scope)
  const { credential: _, ...withoutKey } = user
  return {
    authorizer,
    user,
    outcomeOf(request) {
      const decision = now(authorizer.authorize(attributesOf(request, user)))
      if (decision.verdict === 'allow') return 'allowed'
      const byOwner = now(owner.authorize(attributesOf(request, withoutKey))).verdict === 'allow'
      if (decision.verdict === 'no-opinion') return 'refused by owner'
      return byOwner ? 'refused by scope' : 'refused by both'
    },
  }
}

export function attributesOf(request: Request, user: UserInfo): Attributes {
  return 'path' in request ? { user, ...request } : { user, version: 'v1', ...request }
}

/** Decisions are synchronous: none may become a promise unnoticed. */
function now(decision: Decision | Promise<Decision>): Decision {
  if (decision instanceof Promise) throw new Error('A decision of the engine came late.')
  return decision
}

function userOf({ superuser }: Rights, scope: Scope | undefined): UserInfo {
  const compiled = compileScope(scope, environment)
  return {
    name: 'alice',
    groups: superuser ? ['system:masters'] : [],
    credential: {
      keyName: 'key',
      keyUid: 'uid',
      keyId: 'id',
      ...(compiled === undefined ? {} : { scope: compiled }),
      isRevoked: false,
      revoked: new AbortController().signal,
    },
  }
}

function ownerAuthorizer({ roles }: Rights): Authorizer {
  const index = createRbacIndex()
  for (const [at, { namespace, rules }] of roles.entries()) {
    const name = `role-${at}`
    const metadata = { name, ...(namespace === '' ? {} : { namespace }) }
    const [kind, binding] =
      namespace === '' ? (['ClusterRole', 'ClusterRoleBinding'] as const) : (['Role', 'RoleBinding'] as const)
    const apiVersion = 'rbac.authorization.k8s.io/v1'
    index.upsert(kind, { apiVersion, kind, metadata, rules })
    index.upsert(binding, {
      apiVersion,
      kind: binding,
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
      subjects: [{ kind: 'User', name: 'alice', apiGroup: 'rbac.authorization.k8s.io' }],
    })
  }
  return index.authorizer
}
