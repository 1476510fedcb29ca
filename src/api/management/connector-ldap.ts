import { boolean, integer, object, oneOf, string, stringSet } from '../schema-builder.ts'
import { caBundle, groupsPrefix, secretReference, usernamePrefix } from './connector-fields.ts'

/** How users and groups are found in a directory. */
export const ldap = object(
  'How an LDAP directory or Active Directory is asked.',
  {
    url: string(
      'Address of the directory: `ldaps://HOST` or `ldap://HOST`, with a port if it is not 636 or 389. With `ldap://` the connection is secured by StartTLS before anything is sent; passwords never go over a plain one.',
    ),
    caBundle,
    preset: oneOf(
      'What fields mean that are absent: `openLdap` (default) or `activeDirectory`. It cannot be changed: who a user is depends on it.',
      ['openLdap', 'activeDirectory'],
    ),
    bindDN: string('Name of the entry that the platform searches as. Empty: it searches without a name (anonymously).'),
    bindPasswordRef: secretReference('Secret with the password of `bindDN`.', 'bindPassword'),
    users: object('Where users are found, and what is read of them.', {
      baseDN: string('Entry below which users are searched for.'),
      filter: string(
        'Only entries that match are users. Default: `(objectClass=person)`; for Active Directory, persons whose account is not disabled.',
      ),
      loginAttributes: stringSet(
        'Attributes in which the name that a user types is searched for. Default: `uid`; for Active Directory `sAMAccountName` and `userPrincipalName`. It must not be possible to find two users by one name: neither could sign in.',
      ),
      idAttribute: string(
        'Attribute by which the platform knows a user again; it must never be given to another one. Default: `entryUUID`; for Active Directory `objectGUID`. It cannot be changed.',
      ),
      usernameAttribute: string('Name of the user. Default: `uid`; for Active Directory `sAMAccountName`.'),
      displayNameAttribute: string(
        'Name that the user is called by. Default: `cn`; for Active Directory `displayName`.',
      ),
      emailAttribute: string('Mail address. Default: `mail`.'),
      emailIsVerified: boolean(
        'When true, mail addresses count as verified. Only for directories in which users cannot change their own.',
      ),
    }),
    groups: object('How the groups of a user are found. Absent: users have none.', {
      method: oneOf(
        '`search` (default) searches for groups that name the user as a member, then for groups that name those. `memberOf` follows that attribute of the user and of groups. `inChain` has Active Directory itself follow members of members, and is the default there.',
        ['search', 'memberOf', 'inChain'],
      ),
      baseDN: string('Entry below which groups are searched for. Not needed for `memberOf`.'),
      filter: string(
        'Only entries that match are groups. Default: `(objectClass=groupOfNames)`; for Active Directory `(objectClass=group)`.',
      ),
      nameAttribute: string('Name of the group. Default: `cn`.'),
      memberAttribute: string('Attribute of a group that names its members. Default: `member`.'),
      userAttribute: string(
        'Attribute of the user whose value is in `memberAttribute`, such as `uid` for `memberUid` of POSIX groups. Empty: the name of the entry (DN).',
      ),
      depth: integer('How far groups of groups are followed, 1 to 10: 1 is groups that name the user. Default: 10.'),
    }),
    usernamePrefix,
    groupsPrefix,
  },
  { typeName: 'LdapConnector' },
)
