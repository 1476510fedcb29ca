import type { UserInfo } from '../../api/access.ts'
import { authenticatedGroup } from '../static-tokens.ts'
import type { KeyOwner, KnownKey, OwnerDirectory, OwnerState } from './contract.ts'

const userPrefix = 'platform:user:'
const teamPrefix = 'platform:team:'

/** The group of all members of a team, to which permissions can be granted. No user can have it as a name. */
export function teamGroup(team: string): string {
  return teamPrefix + team
}

/** The group that has a User of the platform as its only member. */
export function userGroup(user: string): string {
  return userPrefix + user
}

/** The groups a user has because of who they are. */
function userGroups(name: string, { groups, teams }: OwnerState): readonly string[] {
  return [...groups, userGroup(name), ...teams.map(teamGroup)]
}

export type ActingUser = UserInfo | 'gone' | 'locked'
export type OwnerLookup = (key: KnownKey) => ActingUser

/** The user that a key acts as now, with the groups of the owner and of the key. */
export function actingOwnerOf(key: KnownKey, owners: OwnerDirectory): ActingUser {
  return createOwnerLookup(owners)(key)
}

interface Remembered {
  readonly owner: KeyOwner
  readonly groups: readonly string[]
  readonly user: UserInfo
}

/**
 * The same for many requests. An owner's state is the same object until something changes, and most keys of an owner
 * have the same groups, so the last answer of each is cached.
 */
export function createOwnerLookup(owners: OwnerDirectory): OwnerLookup {
  const remembered = new WeakMap<OwnerState, Remembered>()
  return ({ owner, groups }) => {
    if (owner.kind === 'subject') return { name: owner.name, groups: complete([], groups) }
    const state = owner.kind === 'user' ? owners.user(owner.name) : owners.team(owner.name)
    if (state === undefined) return 'gone'
    if (state.locked) return 'locked'
    const known = remembered.get(state)
    if (known !== undefined && known.owner === owner && known.groups === groups) return known.user
    const user = owner.kind === 'user' ? userOf(owner.name, state, groups) : teamOf(owner.name, state, groups)
    remembered.set(state, { owner, groups, user })
    return user
  }
}

function userOf(name: string, state: OwnerState, groups: readonly string[]): UserInfo {
  const { subject, uid } = state
  return { name: subject, ...(uid === undefined ? {} : { uid }), groups: complete(userGroups(name, state), groups) }
}

/** A team acts under its own prefixed name, whatever its username is, because a user may have the same name. */
function teamOf(name: string, { uid, groups: own }: OwnerState, groups: readonly string[]): UserInfo {
  const team = teamGroup(name)
  return { name: team, ...(uid === undefined ? {} : { uid }), groups: complete([...own, team], groups) }
}

function complete(own: readonly string[], added: readonly string[]): readonly string[] {
  return [...new Set([...own, ...added, authenticatedGroup])]
}
