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
      momentColumn('Expires', 'status.expiresAt', 'Time at which the key expires.'),
      momentColumn('Last Activity', 'status.lastActivity', 'Time at which the key was last used.'),
      wide(textColumn('Type', 'spec.type', 'Purpose of the key.')),
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
  cluster: string('Name of the Cluster that contains the Secret. If absent, the platform itself.'),
  namespace: string('Namespace of the Secret.'),
  name: string('Name of the Secret.'),
  entry: string('Entry of the Secret that contains the value. If absent, `accessKey`.'),
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
    'The value of the access key, which is sent as a bearer token. It is returned once, in the response to the request that created or changed it; only a hash is stored. If absent, the platform generates a value; a value of your own must have at least 32 characters.',
  ),
  disabled: boolean('When true, the key is kept but refused.'),
  ttl: integer('Lifetime of the key in seconds. If 0 or absent, the key does not expire.'),
  ttlAfterLastActivity: boolean('When true, ttl counts from the last use instead of from the creation of the key.'),
  scope: accessKeyScope,
  type: string(
    'Purpose of the key. `User` (default) is for keys that users manage. The platform manages keys of the types `Login`, which is a session in the console, `Other`, `Reset`, `OIDCRefreshToken`, `NetworkPeer` and `Workspace`.',
  ),
  identity,
  oidcProvider,
  managedSecrets: list(
    'Secrets that every new value of the key is written to when the key is rotated. To add a Secret, which must exist, a caller needs permission to update it in its cluster, and a key without a scope.',
    object('A Secret.', secretPlace, { typeName: 'SecretPlace' }),
  ),
  parent: string('Deprecated: name of the key that this one shares its single sign-on data with.'),
  oidcLogin,
}

const status = {
  lastActivity: time('Time at which the key was last used.'),
  phase: string('State of the key: `Active`, `Disabled`, `Expired` or `Deleting`.'),
  expiresAt: time('Time at which the key expires. If absent, it never does.'),
  keyId: string('The public part of the key. It identifies the key in logs and audit records, and grants no access.'),
  lastUsedFrom: string('Network address from which the key was last used.'),
  managedSecrets: list(
    'The Secrets in the spec, with the UIDs that they had when they were added. A Secret that replaces one of them is not written to.',
    object(
      'A Secret.',
      {
        ...secretPlace,
        uid: string('UID of the Secret.'),
        addedBy: string('Name of the caller that added the Secret.'),
        addedAt: time('Time at which the Secret was added.'),
      },
      { typeName: 'ManagedSecret' },
    ),
  ),
  rotation: object('A rotation in progress, during which the previous value of the key is still valid.', {
    startedAt: time('Time at which the new value was created.'),
    previousKeyId: string('The public part of the previous value.'),
    previousValidUntil: time('Time at which the previous value becomes invalid.'),
    previousLastActivity: time('Time at which the previous value was last used.'),
    previousUsers: list(
      'Clients that still use the previous value.',
      object('A client that must switch to the new value.', {
        from: string('Network address of the client.'),
        userAgent: string('Program, according to its User-Agent header.'),
        lastActivity: time('Time at which the client last used the previous value.'),
      }),
    ),
  }),
  session: object(
    'For type `Login`: how the user signed in.',
    {
      startedWith: string(
        'Name of the access key that started the session; the session ends with that key. Absent if the session was started with a token that the platform received at its start.',
      ),
      startedFrom: string('Network address from which the session was started.'),
      userAgent: string('Program in which the session was started, according to its User-Agent header.'),
      latestEnd: time('Time at which the session ends, even if it is in use.'),
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
