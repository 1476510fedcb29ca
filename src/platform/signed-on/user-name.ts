import { hash } from 'node:crypto'
import { validateSubdomain } from '../../api/names.ts'
import type { SignedOn } from '../../auth/signed-on.ts'

const longestName = 60
const suffixLength = 8

/**
 * Names for a new User, in order of preference. The last is unique to the identity, and longer than a name that anyone
 * could choose at a provider. The name at the provider is included only if nothing refers to it yet.
 */
export function userNames(
  { connector, userId, username }: SignedOn,
  isTaken: (name: string) => boolean,
): readonly string[] {
  return namesFor('user', plainName(username), hash('sha256', `${connector}\0${userId}`, 'hex'), isTaken)
}

/** The same for a new Team of a group. Separators of paths and prefixes in group names become dashes. */
export function teamNames(group: string, isTaken: (name: string) => boolean): readonly string[] {
  return namesFor('team', plainName(group.replace(/[/:]+/g, '-')), hash('sha256', group, 'hex'), isTaken)
}

function namesFor(
  what: 'user' | 'team',
  plain: string,
  digest: string,
  isTaken: (name: string) => boolean,
): readonly string[] {
  const own = `${plain || what}-${digest.slice(0, suffixLength)}`
  return [...(plain === '' || isTaken(plain) ? [] : [plain]), own, `${what}-${digest}`]
}

/**
 * Empty unless the name consists of characters of object names, `@`, `_`, `+` and spaces: letters of other alphabets
 * may look alike, and dropping them would give another name.
 */
function plainName(username: string): string {
  const lower = username.toLowerCase()
  if (!/^[a-z0-9@._+ -]+$/.test(lower)) return ''
  const name = lower.replace(/[@_+ ]+/g, '-').slice(0, longestName)
  return validateSubdomain(name).length === 0 ? name : ''
}
