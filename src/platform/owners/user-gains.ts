import type { NeededRights } from '../required-rights.ts'
import { asGroups, asSubject, asTeams } from '../rights.ts'
import type { Directory } from './directory.ts'
import { storedUser } from './stored-owner.ts'

/**
 * What a user is made takes the right to be it: every group, the teams that come with a group, and the name under which
 * permissions are given.
 */
export function userGains(directory: Directory, managementGroup: string): NeededRights {
  return (object, old, user) => {
    const now = storedUser(object)
    const before = old === undefined ? undefined : storedUser(old)
    const groups = now.groups.filter((group) => before?.groups.includes(group) !== true)
    const teams = directory.teamsOfGroups(groups)
    return [
      ...asGroups(user, groups),
      ...asTeams(user, teams, managementGroup),
      ...(now.subject === (before?.subject ?? now.name) ? [] : [asSubject(user, now.subject)]),
    ]
  }
}
