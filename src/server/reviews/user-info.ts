import type { UserInfo } from '../../api/access.ts'

/** A user as shown in reviews, without empty members. */
export function presentedUser({ name, uid = '', groups, extra = {} }: UserInfo): Readonly<Record<string, unknown>> {
  return {
    ...(name === '' ? {} : { username: name }),
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  }
}
