import { createHash } from 'node:crypto'
import { broughtValue } from '../../support/canary/brought-value.ts'

export const searchDn = 'cn=search,dc=example,dc=com'
export const searchPassword = broughtValue('search-password')
export const people = 'ou=people,dc=example,dc=com'
export const groups = 'ou=groups,dc=example,dc=com'

/** The password of a user of the directory. */
export function passwordOf(uid: string): string {
  return broughtValue(`password-of-${uid}`)
}

const groupCount = 450

/** A directory with nested, circular and very many groups, and with names that need escaping. */
export function directoryEntries(): string {
  const group = (cn: string, ...members: readonly string[]) => groupBelow(groups, cn, members)
  return [
    ['dn: dc=example,dc=com', 'objectClass: domain', 'dc: example'],
    ['dn: ou=people,dc=example,dc=com', 'objectClass: organizationalUnit', 'ou: people'],
    ['dn: ou=groups,dc=example,dc=com', 'objectClass: organizationalUnit', 'ou: groups'],
    ['dn: ou=elsewhere,dc=example,dc=com', 'objectClass: organizationalUnit', 'ou: elsewhere'],
    [`dn: ${searchDn}`, 'objectClass: applicationProcess', 'objectClass: simpleSecurityObject', 'cn: search'].concat(
      `userPassword: ${hashed(searchPassword)}`,
    ),
    person('jane', 'mail: jane@example.com', `memberOf: cn=dev,${groups}`),
    person('many'),
    person('amy'),
    person('bob', 'mail: amy'),
    person('star*'),
    person('disabled', 'employeeType: disabled'),
    person('leaver'),
    [...person('twoids'), 'employeeNumber: 7'],
    [...group('dev', dnOf('jane'), dnOf('leaver')), `memberOf: cn=engineering,${groups}`],
    [...group('engineering', `cn=dev,${groups}`, `cn=all,${groups}`), `memberOf: cn=all,${groups}`],
    [...group('all', `cn=engineering,${groups}`), `memberOf: cn=engineering,${groups}`],
    group('system:masters', dnOf('jane')),
    groupBelow('ou=elsewhere,dc=example,dc=com', 'admins', [dnOf('jane')]),
    ...Array.from({ length: groupCount }, (_, index) => group(`g${index}`, dnOf('many'))),
  ]
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n')
}

export function dnOf(uid: string): string {
  return `uid=${uid},${people}`
}

function person(uid: string, ...more: readonly string[]): readonly string[] {
  const name = [`uid: ${uid}`, `cn: ${uid} of the directory`, `sn: ${uid}`]
  return [
    `dn: ${dnOf(uid)}`,
    'objectClass: inetOrgPerson',
    ...name,
    `userPassword: ${hashed(passwordOf(uid))}`,
    ...more,
  ]
}

function groupBelow(base: string, cn: string, members: readonly string[]): readonly string[] {
  return [`dn: cn=${cn},${base}`, 'objectClass: groupOfNames', `cn: ${cn}`, ...members.map((dn) => `member: ${dn}`)]
}

/** The form in which directories store passwords. */
function hashed(password: string): string {
  return `{SHA}${createHash('sha1').update(password).digest('base64')}`
}
