import type { Attributes, Decision, ResourceAttributes, UserInfo } from '../../api/access.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Authorizer, RuleSet } from '../../auth/contract.ts'
import { teamGroup } from '../../auth/keys/key-owner.ts'
import { projectOfNamespace } from '../../auth/scope/request.ts'
import type { Document } from '../../registry/contract.ts'
import type { Directory } from '../owners/directory.ts'
import { type ProjectMember, projectMembers } from './members.ts'
import { type ProjectRole, projectRoleRules, projectRoles, roleAllows, roleAllowsOnProject } from './roles.ts'

const noOpinion: Decision = { verdict: 'no-opinion', reason: '' }

/** The roles of one project. */
interface Members {
  readonly users: ReadonlyMap<string, ProjectRole>
  /** By the group of the members of a team. */
  readonly groups: ReadonlyMap<string, ProjectRole>
  readonly decisions: Readonly<Record<ProjectRole, Decision>>
  readonly refusals: Readonly<Record<ProjectRole, Decision>>
}

/** A refusal names at most this many admins. */
const mostNamed = 5

/** Lets members of a project do what their role allows there. */
export class ProjectMembership implements Authorizer {
  readonly #projects = new Map<string, Members>()
  readonly #membersOfDocuments = new WeakMap<Document, Members>()
  readonly #directory: Directory
  readonly #group: string

  constructor(directory: Directory, managementGroup: string) {
    this.#directory = directory
    this.#group = managementGroup
  }

  put(project: KubeObject): void {
    this.#projects.set(project.metadata.name ?? '', compiled(project))
  }

  remove(project: string): void {
    this.#projects.delete(project)
  }

  authorize(attributes: Attributes): Decision {
    if ('path' in attributes || attributes.group !== this.#group || (attributes.target ?? here).kind !== 'management') {
      return noOpinion
    }
    const { user, verb, resource, subresource, namespace, name } = attributes
    const members = this.#projects.get(projectOf(attributes))
    const role = members && this.#roleOf(user, members)
    if (members === undefined || role === undefined) return noOpinion
    const isAllowed = isOfProject(resource, namespace)
      ? name !== '' && roleAllowsOnProject(role, verb, subresource)
      : roleAllows(role, verb, resource, subresource)
    return isAllowed ? members.decisions[role] : members.refusals[role]
  }

  /** Whether a refusal names the rights that the user's role lacks. */
  explainsRefusal(attributes: ResourceAttributes): boolean {
    return this.isMember(projectOf(attributes), attributes.user)
  }

  /** Every role may get the objects of the project. */
  isMember(project: string | undefined, user: UserInfo): boolean {
    const members = this.#projects.get(project ?? '')
    return members !== undefined && this.#roleOf(user, members) !== undefined
  }

  /** The same, decided by one state of the project. */
  isMemberBy(project: Document, user: UserInfo): boolean {
    const members = this.#membersOfDocuments.get(project) ?? compiled(project.object)
    this.#membersOfDocuments.set(project, members)
    return this.#roleOf(user, members) !== undefined
  }

  rulesFor(user: UserInfo, namespace: string): RuleSet {
    const project = projectOfNamespace(namespace) ?? ''
    const members = this.#projects.get(project)
    const role = members && this.#roleOf(user, members)
    const resourceRules = role === undefined ? [] : projectRoleRules(role, this.#group, project)
    return { resourceRules, pathRules: [], incomplete: false }
  }

  /** The strongest role that the user has, personally or by a team. */
  #roleOf({ name, groups }: UserInfo, members: Members): ProjectRole | undefined {
    let best: ProjectRole | undefined
    for (const user of this.#directory.usersOfSubject(name)) best = stronger(best, members.users.get(user))
    if (members.groups.size > 0) for (const group of groups) best = stronger(best, members.groups.get(group))
    return best
  }
}

const here = { kind: 'management' as const }

function compiled(project: KubeObject): Members {
  const users = new Map<string, ProjectRole>()
  const groups = new Map<string, ProjectRole>()
  for (const { kind, name, role } of projectMembers(project)) {
    const [roles, id] = kind === 'User' ? [users, name] : [groups, teamGroup(name)]
    roles.set(id, stronger(roles.get(id), role) ?? role)
  }
  const { name } = project.metadata
  const admins = adminsText(projectMembers(project))
  return {
    users,
    groups,
    decisions: byRole((role) => ({ verdict: 'allow', reason: `project ${name}: member with the role ${role}` })),
    refusals: byRole((role) => ({
      verdict: 'no-opinion',
      reason: `project ${name}: the role ${role} does not include this; ${admins}`,
    })),
  }
}

function byRole(decisionOf: (role: ProjectRole) => Decision): Members['decisions'] {
  return { admin: decisionOf('admin'), user: decisionOf('user'), viewer: decisionOf('viewer') }
}

/** The admins who could allow the request. Shown only to members. */
function adminsText(members: readonly ProjectMember[]): string {
  const admins = members.filter(({ role }) => role === 'admin')
  const names = [...new Set(admins.map(({ kind, name }) => (kind === 'Team' ? `team ${name}` : name)))]
  if (names.length === 0) return 'it has no admins, so an administrator of the platform can allow it'
  const more = names.length > mostNamed ? [`${names.length - mostNamed} more`] : []
  return `its admins can allow it: ${[...names.slice(0, mostNamed), ...more].join(', ')}`
}

function stronger(left: ProjectRole | undefined, right: ProjectRole | undefined): ProjectRole | undefined {
  if (left === undefined || right === undefined) return left ?? right
  return projectRoles.indexOf(left) <= projectRoles.indexOf(right) ? left : right
}

function isOfProject(resource: string, namespace: string): boolean {
  return resource === 'projects' && namespace === ''
}

/** Empty for a request that is not about a project. */
function projectOf({ resource, namespace, name }: ResourceAttributes): string {
  return isOfProject(resource, namespace) ? name : (projectOfNamespace(namespace) ?? '')
}
