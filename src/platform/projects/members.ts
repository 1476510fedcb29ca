import type { KubeObject } from '../../api/object.ts'
import { isJsonObject } from '../../base/json/member.ts'

import type { ProjectRole } from './roles.ts'

export interface ProjectMember {
  readonly kind: 'User' | 'Team'
  readonly name: string
  readonly role: ProjectRole
}

/** Who works in a project; a member without a role is a user. The owner of the project is an admin of it. */
export function projectMembers({ spec }: KubeObject): readonly ProjectMember[] {
  if (!isJsonObject(spec)) return []
  const members = Array.isArray(spec.members) ? spec.members.flatMap(memberOf) : []
  return [...members, ...ownersOf(spec.owner)]
}

function memberOf(value: unknown): readonly ProjectMember[] {
  if (!isJsonObject(value) || typeof value.name !== 'string' || value.name === '') return []
  if (value.kind !== 'User' && value.kind !== 'Team') return []
  const { kind, name, role } = value
  return [{ kind, name, role: role === 'admin' || role === 'viewer' ? role : 'user' }]
}

function ownersOf(owner: unknown): readonly ProjectMember[] {
  if (!isJsonObject(owner)) return []
  const { user, team } = owner
  return [
    ...(typeof user === 'string' && user !== '' ? [{ kind: 'User' as const, name: user, role: 'admin' as const }] : []),
    ...(typeof team === 'string' && team !== '' ? [{ kind: 'Team' as const, name: team, role: 'admin' as const }] : []),
  ]
}
