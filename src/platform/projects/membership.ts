import type { Attributes, Decision, ResourceAttributes, UserInfo } from '../../api/access.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Authorizer, ResourceRule, RuleSet } from '../../auth/contract.ts'
import { teamGroup } from '../../auth/keys/key-owner.ts'
import { projectNamespace, projectOfNamespace } from '../../auth/scope/request.ts'
import type { Directory } from '../owners/directory.ts'
import { membersOf, type ProjectMember, type ProjectRole } from './members.ts'

const noOpinion: Decision = { verdict: 'no-opinion', reason: '' }
const read = ['get', 'list', 'watch']
const write = ['create', 'update', 'patch', 'delete', 'deletecollection']
const instances = ['spaceinstances', 'virtualclusterinstances']
const everyPart = instances.flatMap((resource) => [resource, `${resource}/*`])

/** What a role gives inside the project's namespace, and on the project itself. */
function rulesOf(role: ProjectRole, group: string, project: string): readonly ResourceRule[] {
  const apiGroups = [group]
  const own = (verbs: readonly string[]) => ({ verbs, apiGroups, resources: ['projects'], resourceNames: [project] })
  switch (role) {
    case 'admin':
      return [{ verbs: ['*'], apiGroups, resources: everyPart }, own(['get', 'update', 'patch'])]
    case 'user':
      return [{ verbs: [...read, ...write, 'use'], apiGroups, resources: instances }, own(['get'])]
    case 'viewer':
      return [{ verbs: [...read, 'use'], apiGroups, resources: instances }, own(['get'])]
  }
}

/** Members of a project may do there what their role says. Nothing else is its business. */
export class ProjectMembership implements Authorizer {
  readonly #members = new Map<string, readonly ProjectMember[]>()
  readonly #directory: Directory
  readonly #group: string

  constructor(directory: Directory, managementGroup: string) {
    this.#directory = directory
    this.#group = managementGroup
  }

  put(project: KubeObject): void {
    this.#members.set(project.metadata.name ?? '', membersOf(project))
  }

  remove(project: string): void {
    this.#members.delete(project)
  }

  authorize(attributes: Attributes): Decision {
    if ('path' in attributes || attributes.group !== this.#group || (attributes.target ?? here).kind !== 'management') {
      return noOpinion
    }
    const project = projectOf(attributes)
    const role = project === undefined ? undefined : this.#roleOf(attributes.user, project)
    if (project === undefined || role === undefined) return noOpinion
    const isAllowed = rulesOf(role, this.#group, project).some((rule) => allows(rule, attributes))
    return isAllowed ? { verdict: 'allow', reason: `project ${project}: member with the role ${role}` } : noOpinion
  }

  rulesFor(user: UserInfo, namespace: string): RuleSet {
    const project = projectOfNamespace(namespace)
    const role = project === undefined ? undefined : this.#roleOf(user, project)
    const resourceRules = project === undefined || role === undefined ? [] : rulesOf(role, this.#group, project)
    return { resourceRules, pathRules: [], incomplete: false }
  }

  /** The strongest of all that the user has, alone or by a team. */
  #roleOf(user: UserInfo, project: string): ProjectRole | undefined {
    const names = new Set(this.#directory.usersOfSubject(user.name))
    const held = (this.#members.get(project) ?? [])
      .filter(({ kind, name }) => (kind === 'User' ? names.has(name) : user.groups.includes(teamGroup(name))))
      .map(({ role }) => role)
    return strength.find((role) => held.includes(role))
  }
}

const strength: readonly ProjectRole[] = ['admin', 'user', 'viewer']
const here = { kind: 'management' as const }

function projectOf({ resource, namespace, name }: ResourceAttributes): string | undefined {
  if (resource === 'projects' && namespace === '') return name === '' ? undefined : name
  const project = projectOfNamespace(namespace)
  return project !== undefined && projectNamespace(project) === namespace ? project : undefined
}

function allows({ verbs, resources, resourceNames }: ResourceRule, attributes: ResourceAttributes): boolean {
  const { verb, resource, subresource, name } = attributes
  const asked = subresource === '' ? [resource] : [`${resource}/${subresource}`, `${resource}/*`]
  return (
    (verbs.includes('*') || verbs.includes(verb)) &&
    asked.some((each) => resources.includes(each)) &&
    (resourceNames === undefined || resourceNames.includes(name))
  )
}
