import type { Attributes, UserInfo } from '../../src/api/access.ts'
import { createRbacIndex } from '../../src/auth/rbac/rbac-index.ts'
import { compileScope } from '../../src/auth/scope/compile.ts'
import { createScopedAuthorizer } from '../../src/auth/scope/scoped-authorizer.ts'
import { environment, managementGroup } from './world.ts'

/** How many users have a role in how many projects, for us and for the peer alike. */
export const users = 1000
export const projects = 100

export function projectOf(user: number): string {
  return `project-${user % projects}`
}

/** The owner's rights by RBAC, and a key that is limited to one project: half of the requests lie outside. */
export function createDecider(): (number: number) => boolean {
  const index = createRbacIndex()
  const apiVersion = 'rbac.authorization.k8s.io/v1'
  const rules = [
    { verbs: ['get', 'list', 'update'], apiGroups: [managementGroup], resources: ['virtualclusterinstances'] },
  ]
  index.upsert('ClusterRole', { apiVersion, kind: 'ClusterRole', metadata: { name: 'member' }, rules })
  for (let number = 0; number < users; number++) {
    index.upsert('RoleBinding', {
      apiVersion,
      kind: 'RoleBinding',
      metadata: { name: `user-${number}`, namespace: `p-${projectOf(number)}` },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'member' },
      subjects: [{ kind: 'User', name: `user-${number}` }],
    })
  }
  const authorizer = createScopedAuthorizer(index.authorizer, environment)
  const callers = Array.from({ length: users }, (_, number) => userOf(number))
  return (number) => {
    const user = callers[number % users]
    if (user === undefined) throw new Error('There is no such user.')
    const decision = authorizer.authorize(requestOf(user, number))
    return !(decision instanceof Promise) && decision.verdict === 'allow'
  }
}

function userOf(number: number): UserInfo {
  const scope = compileScope({ projects: [{ project: projectOf(number) }] }, environment)
  const credential = {
    keyName: 'key',
    keyUid: 'uid',
    keyId: 'id',
    isRevoked: false,
    revoked: new AbortController().signal,
  }
  return {
    name: `user-${number}`,
    groups: ['system:authenticated'],
    credential: { ...credential, ...(scope === undefined ? {} : { scope }) },
  }
}

/** Every second one is about another project. */
function requestOf(user: UserInfo, number: number): Attributes {
  return {
    user,
    verb: 'get',
    group: managementGroup,
    version: 'v1',
    resource: 'virtualclusterinstances',
    subresource: '',
    namespace: `p-${projectOf((number % users) + (number % 2))}`,
    name: 'demo',
  }
}
