import type { UserInfo } from '../../api/access.ts'
import type { NeededRights } from '../required-rights.ts'
import { asGroups, asSubject, asTeams } from '../rights.ts'
import type { Directory } from './directory.ts'
import { type StoredUser, storedUser } from './stored-owner.ts'

/**
 * Whatever a user becomes takes the right to be it: every group, the teams that come with a group, and the name that
 * permissions are granted to. Signing in with an identity makes a caller the user, so adding an identity takes all of
 * these rights.
 */
export function userGains(directory: Directory, managementGroup: string): NeededRights {
  return (object, old, user) => {
    const now = storedUser(object)
    const before = old === undefined ? undefined : storedUser(old)
    const groups = now.groups.filter((group) => before?.groups.includes(group) !== true)
    const teams = directory.teamsOfGroups(groups)
    const wholeUser = ({ name, subject, groups: all }: StoredUser, caller: UserInfo) => [
      asSubject(caller, subject),
      ...asGroups(caller, all),
      ...asTeams(caller, [...(directory.user(name)?.teams ?? []), ...directory.teamsOfGroups(all)], managementGroup),
    ]
    return [
      ...asGroups(user, groups),
      ...asTeams(user, teams, managementGroup),
      ...(hasNewIdentity(now, before) ? wholeUser(now, user) : []),
      ...(now.subject === (before?.subject ?? now.name) ? [] : [asSubject(user, now.subject)]),
    ]
  }
}

function hasNewIdentity(now: StoredUser, before: StoredUser | undefined): boolean {
  return now.identities.some(
    ({ connector, userId }) =>
      before?.identities.some((each) => each.connector === connector && each.userId === userId) !== true,
  )
}
