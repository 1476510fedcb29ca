import type { KubeObject } from '../../api/object.ts'
import type { UserIdentity } from '../../api/types/management.ts'
import type { OwnerState } from '../../auth/keys/contract.ts'
import { isJsonObject } from '../../base/json/member.ts'

export interface StoredUser {
  readonly name: string
  readonly uid: string | undefined
  readonly subject: string
  readonly groups: readonly string[]
  /** At identity providers: they bring the user into teams, and give nothing else. */
  readonly signOnGroups: readonly string[]
  readonly identities: readonly UserIdentity[]
  readonly locked: boolean
}

export interface StoredTeam {
  readonly name: string
  readonly state: OwnerState
  readonly users: ReadonlySet<string>
  /** Members of these groups are members of the team too. */
  readonly memberGroups: ReadonlySet<string>
}

export function storedUser(object: KubeObject): StoredUser {
  const { name = '', uid } = object.metadata
  const spec = specOf(object)
  return {
    name,
    uid,
    subject: textOf(spec.subject) || name,
    groups: textsOf(spec.groups),
    signOnGroups: signOnGroupsOf(object),
    identities: identitiesOf(spec.identities),
    locked: spec.disabled === true,
  }
}

export function storedTeam(object: KubeObject): StoredTeam {
  const { name = '', uid } = object.metadata
  const spec = specOf(object)
  const state = {
    subject: textOf(spec.username) || name,
    ...(uid === undefined ? {} : { uid }),
    groups: [],
    teams: [],
    locked: false,
  }
  return { name, state, users: new Set(textsOf(spec.users)), memberGroups: new Set(textsOf(spec.groups)) }
}

/** Of the connectors that the user is still known by. */
function signOnGroupsOf(object: KubeObject): readonly string[] {
  const signOn = isJsonObject(object.status) ? object.status.signOn : undefined
  const connectors = new Set(identitiesOf(specOf(object).identities).map(({ connector }) => connector))
  const told = Array.isArray(signOn) ? signOn.filter(isJsonObject) : []
  return told.filter(({ connector }) => connectors.has(textOf(connector))).flatMap(({ groups }) => textsOf(groups))
}

function identitiesOf(value: unknown): readonly UserIdentity[] {
  const entries = Array.isArray(value) ? value.filter(isJsonObject) : []
  return entries.map(({ connector, userId }) => ({ connector: textOf(connector), userId: textOf(userId) }))
}

function specOf({ spec }: KubeObject): Readonly<Record<string, unknown>> {
  return isJsonObject(spec) ? spec : {}
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}
