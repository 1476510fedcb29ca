import type { UserInfo } from '../../api/access.ts'
import { userGroup } from '../../auth/keys/key-owner.ts'
import type { Directory } from '../owners/directory.ts'

/**
 * The name by which a change of rights refers to a user. A user name is never taken for a group, whatever it looks
 * like.
 */
export function viewerName(subject: string): string {
  return `name ${subject}`
}

export function viewerGroup(group: string): string {
  return `group ${group}`
}

/** All names that refer to a user. */
export function viewerOf({ name, groups }: UserInfo, directory: Directory): readonly string[] {
  const users = directory.usersOfSubject(name).map(userGroup)
  return [...new Set([viewerName(name), ...[...groups, ...users].map(viewerGroup)])]
}
