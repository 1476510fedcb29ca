import type { KubeObject } from '../../api/object.ts'
import type { Project, ProjectSpec } from '../../api/types/management.ts'
import type { ProjectRole } from './roles.ts'

export interface ProjectMember {
  readonly kind: 'User' | 'Team'
  readonly name: string
  readonly role: ProjectRole
}

/** The members of a project; a member without a role is a user. The owner of the project is an admin. */
export function projectMembers(object: KubeObject): readonly ProjectMember[] {
  const { members = [], owner } = (object as Project).spec ?? {}
  const named = members.filter(({ name }) => name !== '')
  return [...named.map(({ kind, name, role = 'user' }) => ({ kind, name, role })), ...ownersOf(owner)]
}

function ownersOf({ user = '', team = '' }: ProjectSpec['owner'] = {}): readonly ProjectMember[] {
  const owners: readonly ProjectMember[] = [
    { kind: 'User', name: user, role: 'admin' },
    { kind: 'Team', name: team, role: 'admin' },
  ]
  return owners.filter(({ name }) => name !== '')
}
