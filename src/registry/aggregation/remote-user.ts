import type { UserInfo } from '../../api/access.ts'

/** As whom this server itself asks them. */
export const aggregatorUser: UserInfo = { name: 'system:kube-aggregator', groups: ['system:masters'] }

const unsafe = /[\r\n\0]/

/**
 * Who is asking, as servers behind a front proxy are told. Header values are bytes: names are sent in UTF-8. Throws an Error for a user
 * that cannot be told: whose name would end a header, or would be another one for a reader, who leaves out blanks around a value.
 */
export function remoteUserHeaders({ name, uid, groups, extra = {} }: UserInfo): readonly string[] {
  if ([name, ...groups].includes('')) throw new Error('the name of the user, or one of its groups, is empty')
  const headers = [
    ['x-remote-user', name],
    ...(uid === undefined || uid === '' ? [] : [['x-remote-uid', uid]]),
    ...groups.map((group) => ['x-remote-group', group]),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.map((value) => [`x-remote-extra-${encodedKey(key)}`, value]),
    ),
  ]
  return headers.flatMap(([header = '', value = '']) => [header, bytesOf(value)])
}

function bytesOf(value: string): string {
  if (unsafe.test(value)) throw new Error('the name of the user, or one of its groups, holds a line break')
  if (value.trim() !== value) throw new Error('the name of the user, or one of its groups, begins or ends with a blank')
  return Buffer.from(value, 'utf8').toString('latin1')
}

/** What no name of a header may hold is percent-encoded. */
function encodedKey(key: string): string {
  return encodeURIComponent(key.toLowerCase()).replace(/[()]/g, (each) => (each === '(' ? '%28' : '%29'))
}
