import type { NeededRights } from '../required-rights.ts'
import { asTeams } from '../rights.ts'
import { storedTeam } from './stored-owner.ts'

/** Members of a team have its rights, so adding a member takes the right to act for the team. */
export function teamGains(managementGroup: string): NeededRights {
  return (object, old, user) => {
    const { name, users, memberGroups, state } = storedTeam(object)
    const before = old === undefined ? undefined : storedTeam(old)
    const isGain =
      hasMore(users, before?.users) ||
      hasMore(memberGroups, before?.memberGroups) ||
      state.subject !== (before?.state.subject ?? name)
    return isGain ? asTeams(user, [name], managementGroup) : []
  }
}

function hasMore(now: ReadonlySet<string>, before: ReadonlySet<string> = new Set()): boolean {
  return [...now].some((each) => !before.has(each))
}
