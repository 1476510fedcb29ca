import { boolean, integer, object, oneOf, string, stringSet } from '../../schema-builder.ts'
import { caBundle, groupsPrefix, secretReference, usernamePrefix } from './connector-fields.ts'

/** How users and groups are found in a directory. */
export const ldap = object(
  'Settings for an LDAP directory or Active Directory.',
  {
    url: string(
      'Address of the directory: `ldaps://HOST` or `ldap://HOST`, with a port if it is not 636 or 389. With `ldap://`, the connection is secured by StartTLS before anything else is sent; passwords are never sent over an unencrypted connection.',
    ),
    caBundle,
    preset: oneOf(
      'The defaults for fields that are absent: `openLdap` (default) or `activeDirectory`. Immutable, because the identity of users depends on it.',
      ['openLdap', 'activeDirectory'],
    ),
    bindDN: string('DN of the entry that the platform binds as to search. If empty, it searches anonymously.'),
    bindPasswordRef: secretReference('Secret with the password of `bindDN`.', 'bindPassword'),
    users: object('Where to search for users, and which attributes to read.', {
      baseDN: string('Entry below which to search for users.'),
      filter: string(
        'Filter that the entries of users must match. Default: `(objectClass=person)`; for Active Directory, persons whose account is not disabled.',
      ),
      loginAttributes: stringSet(
        'Attributes that are compared with the name that a user enters. Default: `uid`; for Active Directory, `sAMAccountName` and `userPrincipalName`. If a name matches two users, neither can sign in.',
      ),
      idAttribute: string(
        'Attribute that identifies a user permanently; its values must never be reused for another user. Default: `entryUUID`; for Active Directory, `objectGUID`. Immutable.',
      ),
      usernameAttribute: string('Name of the user. Default: `uid`; for Active Directory `sAMAccountName`.'),
      displayNameAttribute: string('Display name of the user. Default: `cn`; for Active Directory, `displayName`.'),
      emailAttribute: string('Email address. Default: `mail`.'),
      emailIsVerified: boolean(
        'When true, email addresses count as verified. Use it only if users cannot change their own address in the directory.',
      ),
    }),
    groups: object('How to find the groups of a user. If absent, users have no groups.', {
      method: oneOf(
        '`search` (default) searches for groups that list the user as a member, then for groups that list those groups. `memberOf` follows that attribute of the user and of groups. `inChain`, the default for Active Directory, lets the directory resolve nested groups.',
        ['search', 'memberOf', 'inChain'],
      ),
      baseDN: string('Entry below which to search for groups. Not required for `memberOf`.'),
      filter: string(
        'Filter that the entries of groups must match. Default: `(objectClass=groupOfNames)`; for Active Directory, `(objectClass=group)`.',
      ),
      nameAttribute: string('Name of the group. Default: `cn`.'),
      memberAttribute: string('Attribute of a group that lists its members. Default: `member`.'),
      userAttribute: string(
        'Attribute of the user whose value `memberAttribute` contains, such as `uid` for `memberUid` of POSIX groups. If empty, the DN of the user.',
      ),
      depth: integer(
        'How many levels of nested groups to follow, from 1 to 10. 1 means only groups that list the user directly. Default: 10.',
      ),
    }),
    usernamePrefix,
    groupsPrefix,
  },
  { typeName: 'LdapConnector' },
)
