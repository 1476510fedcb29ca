import type { ResourceRule } from '../../auth/contract.ts'

/** Strongest first. */
export const projectRoles = ['admin', 'user', 'viewer'] as const
export type ProjectRole = (typeof projectRoles)[number]

const read = ['get', 'list', 'watch']
const write = ['create', 'update', 'patch', 'delete', 'deletecollection']
const instances = ['spaceinstances', 'virtualclusterinstances']

interface Rights {
  readonly verbs: ReadonlySet<string>
  /** Whether the rights include all subresources. */
  readonly withSubresources: boolean
  readonly ownVerbs: ReadonlySet<string>
}

const rights: Readonly<Record<ProjectRole, Rights>> = {
  admin: { verbs: new Set(['*']), withSubresources: true, ownVerbs: new Set(['get', 'update', 'patch', 'bind']) },
  user: { verbs: new Set([...read, ...write, 'use']), withSubresources: false, ownVerbs: new Set(['get']) },
  viewer: { verbs: new Set([...read, 'use']), withSubresources: false, ownVerbs: new Set(['get']) },
}

/** Whether a role allows a verb on an object in the namespace of the project. Called for every request. */
export function roleAllows(role: ProjectRole, verb: string, resource: string, subresource: string): boolean {
  const { verbs, withSubresources } = rights[role]
  if (!instances.includes(resource) || (subresource !== '' && !withSubresources)) return false
  return verbs.has('*') || verbs.has(verb)
}

/** Whether a role allows a verb on the project itself. */
export function roleAllowsOnProject(role: ProjectRole, verb: string, subresource: string): boolean {
  return subresource === '' && rights[role].ownVerbs.has(verb)
}

/** The rights of a role as RBAC rules. */
export function projectRoleRules(role: ProjectRole, group: string, project: string): readonly ResourceRule[] {
  const { verbs, withSubresources, ownVerbs } = rights[role]
  const below = withSubresources ? instances.map((resource) => `${resource}/*`) : []
  return [
    { verbs: [...verbs], apiGroups: [group], resources: [...instances, ...below] },
    { verbs: [...ownVerbs], apiGroups: [group], resources: ['projects'], resourceNames: [project] },
  ]
}
