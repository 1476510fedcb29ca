import type { KubeObject } from '../../api/object.ts'
import type { OwnerState } from '../../auth/keys/contract.ts'
import { isJsonObject } from '../../base/json/member.ts'

export interface StoredUser {
  readonly name: string
  readonly uid: string | undefined
  readonly subject: string
  readonly groups: readonly string[]
  readonly locked: boolean
}

export interface StoredTeam {
  readonly name: string
  readonly state: OwnerState
  readonly users: ReadonlySet<string>
  /** Whoever is in one of these groups is in the team too. */
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

function specOf({ spec }: KubeObject): Readonly<Record<string, unknown>> {
  return isJsonObject(spec) ? spec : {}
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}
