import type { UserInfo } from '../../api/access.ts'

/** The identity that this server itself uses with them. */
export const aggregatorUser: UserInfo = { name: 'system:kube-aggregator', groups: ['system:masters'] }

const unsafe = /[\r\n\0]/

/**
 * The caller's identity, as headers for servers behind a front proxy. Header values are bytes: names are sent in UTF-8.
 * Throws an Error for a user that headers cannot represent: a name that would end a header, or that a reader would
 * change by trimming blanks.
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

/** Percent-encodes characters that are not allowed in header names. */
function encodedKey(key: string): string {
  return encodeURIComponent(key.toLowerCase()).replace(/[()]/g, (each) => (each === '(' ? '%28' : '%29'))
}
