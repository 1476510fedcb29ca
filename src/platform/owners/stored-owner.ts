import type { KubeObject } from '../../api/object.ts'
import type { Team, User, UserIdentity } from '../../api/types/management.ts'
import type { OwnerState } from '../../auth/keys/contract.ts'

export interface StoredUser {
  readonly name: string
  readonly uid: string | undefined
  readonly subject: string
  readonly groups: readonly string[]
  /** Groups at identity providers: they only put the user into teams. */
  readonly signOnGroups: readonly string[]
  readonly identities: readonly UserIdentity[]
  readonly locked: boolean
}

export interface StoredTeam {
  readonly name: string
  readonly state: OwnerState
  readonly users: ReadonlySet<string>
  /** Members of these groups are also members of the team. */
  readonly memberGroups: ReadonlySet<string>
}

export function storedUser(object: KubeObject): StoredUser {
  const { metadata, spec = {} } = object as User
  const { name = '', uid } = metadata
  const { subject, groups = [], identities = [], disabled = false } = spec
  return {
    name,
    uid,
    subject: subject || name,
    groups,
    signOnGroups: signOnGroupsOf(object as User),
    identities,
    locked: disabled,
  }
}

export function storedTeam(object: KubeObject): StoredTeam {
  const { metadata, spec = {} } = object as Team
  const { name = '', uid } = metadata
  const state = {
    subject: spec.username || name,
    ...(uid === undefined ? {} : { uid }),
    groups: [],
    teams: [],
    locked: false,
  }
  return { name, state, users: new Set(spec.users), memberGroups: new Set(spec.groups) }
}

/** Groups from the connectors that the user is still linked to. */
function signOnGroupsOf({ spec, status }: User): readonly string[] {
  const connectors = new Set(spec?.identities?.map(({ connector }) => connector))
  const told = status?.signOn?.filter(({ connector }) => connectors.has(connector)) ?? []
  return told.flatMap(({ groups = [] }) => groups)
}
