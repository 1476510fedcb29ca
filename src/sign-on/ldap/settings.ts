import type { LdapConnector } from '../../api/types/management.ts'

export interface UserSettings {
  readonly baseDN: string
  readonly filter: string
  readonly loginAttributes: readonly string[]
  readonly idAttribute: string
  readonly usernameAttribute: string
  readonly displayNameAttribute: string
  readonly emailAttribute: string
  readonly emailIsVerified: boolean
}

export interface GroupSettings {
  readonly method: 'search' | 'memberOf' | 'inChain'
  /** Empty: anywhere. */
  readonly baseDN: string
  readonly filter: string
  readonly nameAttribute: string
  readonly memberAttribute: string
  /** Empty: groups name the entry of the user. */
  readonly userAttribute: string
  readonly depth: number
}

const defaultDepth = 10

const presets = {
  openLdap: {
    userFilter: '(objectClass=person)',
    loginAttributes: ['uid'],
    idAttribute: 'entryUUID',
    usernameAttribute: 'uid',
    displayNameAttribute: 'cn',
    groupMethod: 'search',
    groupFilter: '(objectClass=groupOfNames)',
  },
  activeDirectory: {
    // The rule is a bitwise "and": 2 is a disabled account.
    userFilter: '(&(objectCategory=person)(objectClass=user)(!(userAccountControl:1.2.840.113556.1.4.803:=2)))',
    loginAttributes: ['sAMAccountName', 'userPrincipalName'],
    idAttribute: 'objectGUID',
    usernameAttribute: 'sAMAccountName',
    displayNameAttribute: 'displayName',
    groupMethod: 'inChain',
    groupFilter: '(objectClass=group)',
  },
} as const

/** Every setting, with defaults. */
export function userSettings({ preset = 'openLdap', users = {} }: LdapConnector): UserSettings {
  const defaults = presets[preset]
  const { loginAttributes = [] } = users
  return {
    baseDN: users.baseDN ?? '',
    filter: users.filter || defaults.userFilter,
    loginAttributes: loginAttributes.length > 0 ? loginAttributes : defaults.loginAttributes,
    idAttribute: users.idAttribute || defaults.idAttribute,
    usernameAttribute: users.usernameAttribute || defaults.usernameAttribute,
    displayNameAttribute: users.displayNameAttribute || defaults.displayNameAttribute,
    emailAttribute: users.emailAttribute || 'mail',
    emailIsVerified: users.emailIsVerified === true,
  }
}

/** Undefined: users have no groups. */
export function groupSettings({ preset = 'openLdap', groups }: LdapConnector): GroupSettings | undefined {
  if (groups === undefined) return undefined
  const defaults = presets[preset]
  const { userAttribute = '', depth = defaultDepth } = groups
  return {
    method: groups.method ?? defaults.groupMethod,
    baseDN: groups.baseDN ?? '',
    filter: groups.filter || defaults.groupFilter,
    nameAttribute: groups.nameAttribute || 'cn',
    memberAttribute: groups.memberAttribute || 'member',
    userAttribute,
    // Groups are named only by their entries, so if users are not, there is nothing to follow.
    depth: userAttribute === '' ? depth : 1,
  }
}
