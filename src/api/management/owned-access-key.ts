import type { Column, Kind } from '../kind.ts'
import type { KubeObject } from '../object.ts'
import { boolean, integer, list, object, string, stringSet, time } from '../schema-builder.ts'
import { accessKeyScope } from './access-key-scope.ts'
import { identity, oidcLogin, oidcProvider } from './access-key-sign-on.ts'
import { validateAccessKey } from './access-key-validation.ts'
import { displayNameColumn, momentColumn, phaseColumn, textColumn, wide } from './columns.ts'
import { managementKind } from './management-kind.ts'
import { naming } from './shared-fields.ts'
import { textAtPath } from './text-at.ts'

/** A credential, limited by its scope, that acts for its owner. */
export function ownedAccessKeyKind(domain: string): Kind {
  return managementKind(domain, {
    kind: 'OwnedAccessKey',
    typeName: 'AccessKey',
    plural: 'ownedaccesskeys',
    shortNames: ['oak'],
    namespaced: false,
    description:
      'An access key: a bearer token that acts for its owner, as far as its scope allows, until it expires, is disabled or is deleted.',
    spec,
    status,
    columns: [
      displayNameColumn,
      ownerColumn,
      phaseColumn,
      momentColumn('Expires', 'status.expiresAt', 'When the key expires.'),
      momentColumn('Last Activity', 'status.lastActivity', 'When the key was last used.'),
      wide(textColumn('Type', 'spec.type', 'What the key is for.')),
      wide(textColumn('Key Id', 'status.keyId', 'The public part of the key.')),
    ],
    selectable: ['spec.user', 'spec.team', 'spec.subject', 'spec.type', 'status.phase'],
    strategy: {
      validate: validateAccessKey,
      gracePeriodSeconds: (_, requested) => requested ?? 0,
      markDeleted: (key) => ({ ...key, status: { ...statusOf(key), phase: 'Deleting' } }),
    },
    goesWhenGraceEnds: true,
    hasSealedPart: true,
  })
}

const secretPlace = {
  cluster: string('Name of the Cluster that it is in. Absent: the platform itself.'),
  namespace: string('Its namespace.'),
  name: string('Its name.'),
  entry: string('The entry that holds the value. Absent: `accessKey`.'),
}

const spec = {
  ...naming,
  user: string(
    'Name of the User that the key acts for. If user, team and subject are all empty, the key acts for its creator.',
  ),
  team: string('Name of the Team that the key acts for.'),
  subject: string('Subject that the key acts for when it is neither a User nor a Team of the platform.'),
  groups: stringSet('Groups that a caller with this key belongs to, in addition to those of its owner.'),
  key: string(
    'The access key itself, sent as bearer token. It is shown once, in the answer to the request that made or changed it; only a hash is kept. Leave it out and the platform makes one; bring your own with at least 32 characters.',
  ),
  disabled: boolean('When true, the key stays but is refused.'),
  ttl: integer('Seconds that the key lives. 0 or absent: no end of its own.'),
  ttlAfterLastActivity: boolean('When true, ttl counts from the last use instead of from creation.'),
  scope: accessKeyScope,
  type: string(
    'What the key is for: `User` for keys that people manage, which is the default, or `Login`, which is a session in the console, `Other`, `Reset`, `OIDCRefreshToken`, `NetworkPeer` and `Workspace` for those that the platform manages.',
  ),
  identity,
  oidcProvider,
  managedSecrets: list(
    'Secrets that every new value of the key is written into when it is rotated. Adding one takes the right to update it, where it is, and a key without a scope; it has to be there.',
    object('A Secret.', secretPlace, { typeName: 'SecretPlace' }),
  ),
  parent: string('Deprecated. Name of the key with which this one shares its single sign-on data.'),
  oidcLogin,
}

const status = {
  lastActivity: time('When the key was last used.'),
  phase: string('Whether the key works: `Active`, `Disabled`, `Expired` or `Deleting`.'),
  expiresAt: time('When the key expires. Absent: never.'),
  keyId: string('The public part of the key. It names the key in logs and audit records and opens nothing.'),
  lastUsedFrom: string('Network address from which the key was last used.'),
  managedSecrets: list(
    'The Secrets of the spec as they were when they were added: others that take their place are not written into.',
    object(
      'A Secret.',
      {
        ...secretPlace,
        uid: string('Which one it is.'),
        addedBy: string('Who added it.'),
        addedAt: time('When it was added.'),
      },
      { typeName: 'ManagedSecret' },
    ),
  ),
  rotation: object('A change of the key value that is still under way: the value before it is valid for a while.', {
    startedAt: time('When the new value was made.'),
    previousKeyId: string('The public part of the value before.'),
    previousValidUntil: time('When the value before stops working.'),
    previousLastActivity: time('When the value before was last used.'),
    previousUsers: list(
      'Who still uses the value before.',
      object('A client that must switch to the new value.', {
        from: string('Network address.'),
        userAgent: string('Program, as it names itself.'),
        lastActivity: time('When it last used the value before.'),
      }),
    ),
  }),
  session: object(
    'Only of type `Login`: how the user signed in.',
    {
      startedWith: string(
        'Name of the access key with which the session was started, and with which it ends. Absent: it was a token that the platform was started with.',
      ),
      startedFrom: string('Network address from which it was started.'),
      userAgent: string('Program in which it was started, as it names itself.'),
      latestEnd: time('When the session ends, however much it is used.'),
    },
    { typeName: 'SessionStatus' },
  ),
}

function statusOf({ status }: KubeObject): object {
  return typeof status === 'object' && status !== null ? status : {}
}

const userOf = textAtPath('spec.user')
const teamOf = textAtPath('spec.team')
const subjectOf = textAtPath('spec.subject')

const ownerColumn: Column = {
  name: 'Owner',
  type: 'string',
  description: 'User, team or subject that the key acts for.',
  value: (key) => userOf(key) || teamOf(key) || subjectOf(key),
}
