import { hash } from 'node:crypto'
import { validateSubdomain } from '../../api/names.ts'
import type { SignedOn } from '../../auth/signed-on.ts'

const longestName = 60
const suffixLength = 8

/**
 * Names for a new User, in order of preference; the last is unique to the identity. The name at the provider is
 * included only if nothing refers to it yet.
 */
export function userNames(
  { connector, userId, username }: SignedOn,
  isTaken: (name: string) => boolean,
): readonly string[] {
  const suffix = hash('sha256', `${connector}\0${userId}`, 'hex').slice(0, suffixLength)
  const plain = plainName(username)
  if (plain === '') return [`user-${suffix}`]
  const own = `${plain}-${suffix}`
  return isTaken(plain) ? [own] : [plain, own]
}

/** The same for a new Team of a group. Separators of paths and prefixes in group names become dashes. */
export function teamNames(group: string, isTaken: (name: string) => boolean): readonly string[] {
  const suffix = hash('sha256', group, 'hex').slice(0, suffixLength)
  const plain = plainName(group.replace(/[/:]+/g, '-'))
  if (plain === '') return [`team-${suffix}`]
  const own = `${plain}-${suffix}`
  return isTaken(plain) ? [own] : [plain, own]
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
