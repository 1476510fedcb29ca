import type { UserInfo } from '../../api/access.ts'
import { authenticatedGroup } from '../static-tokens.ts'
import type { KnownKey, OwnerDirectory, OwnerState } from './contract.ts'

const userPrefix = 'platform:user:'
const teamPrefix = 'platform:team:'

/** The group of everybody in a team, to which permissions can be given. No user can have it as a name. */
export function teamGroup(team: string): string {
  return teamPrefix + team
}

/** The group that a User of the platform is in alone. */
export function userGroup(user: string): string {
  return userPrefix + user
}

/** Whom a key acts for now, with the groups of the owner and of the key. */
export function ownerOf({ owner, groups }: KnownKey, owners: OwnerDirectory): UserInfo | 'gone' | 'locked' {
  switch (owner.kind) {
    case 'user':
      return actingAs(owners.user(owner.name), (state) =>
        userInfo(state.subject, state, userGroups(owner.name, state), groups),
      )
    case 'team':
      return actingAs(owners.team(owner.name), (state) => {
        const group = teamGroup(owner.name)
        return userInfo(group, state, [...state.groups, group], groups)
      })
    case 'subject':
      return { name: owner.name, groups: complete([], groups) }
  }
}

function actingAs(state: OwnerState | undefined, user: (state: OwnerState) => UserInfo): UserInfo | 'gone' | 'locked' {
  if (state === undefined) return 'gone'
  return state.locked ? 'locked' : user(state)
}

/** What a user belongs to by being who they are. */
export function userGroups(name: string, { groups, teams }: OwnerState): readonly string[] {
  return [...groups, userGroup(name), ...teams.map(teamGroup)]
}

function userInfo(name: string, { uid }: OwnerState, own: readonly string[], added: readonly string[]): UserInfo {
  return { name, ...(uid === undefined ? {} : { uid }), groups: complete(own, added) }
}

function complete(own: readonly string[], added: readonly string[]): readonly string[] {
  return [...new Set([...own, ...added, authenticatedGroup])]
}
