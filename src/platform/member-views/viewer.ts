import type { UserInfo } from '../../api/access.ts'
import { userGroup } from '../../auth/keys/key-owner.ts'
import type { Directory } from '../owners/directory.ts'

/** What a change of rights may name a user by. A name is no group, whatever it looks like. */
export function viewerName(subject: string): string {
  return `name ${subject}`
}

export function viewerGroup(group: string): string {
  return `group ${group}`
}

/** All that a user goes by. */
export function viewerOf({ name, groups }: UserInfo, directory: Directory): readonly string[] {
  const users = directory.usersOfSubject(name).map(userGroup)
  return [...new Set([viewerName(name), ...[...groups, ...users].map(viewerGroup)])]
}
