import { by, byPart, section } from './describe.ts'

const writes = 'tests/registry/writes.test.ts'
const collection = 'tests/registry/garbage-collection.test.ts'
const deletion = 'src/api/metadata/deletion.test.ts'
const lifecycle = 'tests/platform/lifecycle.test.ts'
const life = 'tests/platform/life.test.ts'
const signedIn = by(
  'tests/sign-on/login.test.ts',
  'creates a key of type Login with the identity, and shows no secrets of the connector',
)
const refreshToken = byPart(
  'tests/sign-on/provider.test.ts',
  'tests/sign-on/provider/signing-in.ts',
  'and refresh tokens are access keys without other rights',
)
const foreignTokens = by('tests/platform/canary.test.ts', 'from another issuer are refused without being repeated')
const earlierForm = by(life, 'of an earlier form is readable, equals identity, and is never written again')

export const metadataRequirements = section('2.1', [
  ['apiVersion', 'the group carries the domain of the platform, version v1'],
  ['kind', 'the kind is OwnedAccessKey'],
  ['parts', 'an object has metadata, spec and status'],
  [
    'sample',
    'the sample of the reference is taken as it is',
    by('tests/platform/kubectl.test.ts', 'creates a key from the sample, and uses it'),
  ],
  [
    'schema',
    'the schema has every field',
    by('src/api/management/kinds.test.ts', 'has every field of the specification'),
  ],
  ['metadata.name', 'a name is there once'],
  ['metadata.name needed', 'without generateName a name is needed'],
  ['metadata.name stays', 'a name cannot be changed', by(writes, 'refuses a body of another name')],
  ['metadata.generateName', 'a name is made from the prefix and a suffix'],
  ['metadata.generateName unused', 'with a name the prefix does nothing'],
  ['metadata.generateName truncated', 'a long prefix is cut so that the suffix fits'],
  [
    'metadata.generateName taken',
    'a generated name that exists is a 409',
    by(writes, 'gives up with a 409 when eight generated names in a row are taken'),
  ],
  ['metadata.namespace', 'a namespace is a DNS label'],
  ['metadata.namespace empty', 'an empty one stands for default in the path of default'],
  ['metadata.namespace stays', 'a namespace cannot be changed'],
  ['metadata.namespace none', 'objects outside of namespaces have none'],
  ['metadata.uid', 'the server makes it, whatever was sent, and PUT keeps it'],
  [
    'metadata.resourceVersion',
    'it changes with each write, and an old one is a conflict',
    by(writes, 'accepts a write of the latest version, and refuses one of an earlier version'),
  ],
  [
    'metadata.resourceVersion opaque',
    'it is passed back unmodified to watch and to update',
    by('tests/registry/reads.test.ts', 'reports only changes after the revision it starts from'),
  ],
  ['metadata.generation', 'it counts changes of the desired state, and is read-only'],
  ['metadata.creationTimestamp', 'the server sets it, in RFC 3339 and UTC'],
  ['metadata.creationTimestamp of lists', 'lists have none'],
  ['metadata.deletionTimestamp', 'the server sets it on graceful deletion'],
  ['metadata.deletionTimestamp read-only', 'no client sets it'],
  ['metadata.deletionTimestamp final', 'it is neither unset nor put off', by(deletion, 'is never postponed')],
  [
    'metadata.deletionTimestamp shorter',
    'it can be brought closer',
    by(deletion, 'can be moved closer, but not into the past'),
  ],
  [
    'metadata.deletionTimestamp end',
    'the object goes after it once finalizers are gone',
    by(writes, 'keeps an object until its last finalizer is gone'),
  ],
  ['metadata.deletionGracePeriodSeconds', 'it is set with the time of deletion, by the server alone'],
  ['metadata.labels', 'objects are selected by labels'],
  ['metadata.annotations', 'they are kept on modification'],
  ['metadata.annotations unselectable', 'objects are not selected by them'],
  ['metadata.ownerReferences', 'all six fields of an entry are kept'],
  ['metadata.ownerReferences.controller', 'at most one controls'],
  ['metadata.ownerReferences.blockOwnerDeletion', 'absent means false'],
  [
    'metadata.ownerReferences.blockOwnerDeletion waits',
    'an owner that is deleted in the foreground waits',
    by(collection, 'in the foreground removes the owner last'),
  ],
  [
    'metadata.ownerReferences.blockOwnerDeletion right',
    'setting it takes delete permission on the owner, or the right to its finalizers, or is a 422',
    by(writes, 'requires the right to delete a blocking owner, or to change its finalizers'),
  ],
  [
    'metadata.ownerReferences collected',
    'an object goes when all of its owners are gone',
    by(
      collection,
      'keeps an object while one owner exists, and removes the reference to the lost one',
      'deletes dependents, and theirs, after their owner in the background',
    ),
  ],
  [
    'metadata.finalizers',
    'they have to be empty before an object goes',
    by(writes, 'keeps an object until its last finalizer is gone'),
  ],
  [
    'metadata.finalizers closed',
    'while deleting they can only be removed',
    by(writes, 'accepts no new finalizers while deleting'),
  ],
  ['metadata.finalizers unordered', 'they are removed in any order'],
  ['metadata.managedFields', 'an entry has manager, operation, apiVersion, time, fieldsType and fieldsV1'],
  ['metadata.managedFields.operation', 'it is Apply or Update'],
  ['metadata.managedFields.subresource', 'it names the subresource that was written'],
])

export const specRequirements = section('2.1', [
  [
    'spec.displayName',
    'it is kept and shown',
    by('tests/console/keys.test.ts', 'creates a key step by step, shows it once, and discards it'),
  ],
  ['spec.description', 'it is kept'],
  ['spec.user', 'the key acts for the user', by(lifecycle, 'is shown once, works at once, and belongs to its user')],
  ['spec.team', 'the key acts for the team'],
  ['spec.subject', 'the key acts for a subject instead of a user or a team'],
  [
    'spec.groups',
    'they are added when the key is used',
    by(
      'src/auth/keys/authenticator.test.ts',
      'is its owner, with the groups of the owner, of the teams and of the key',
    ),
  ],
  ['spec.key', 'it is a bearer token', by(lifecycle, 'is shown once, works at once, and belongs to its user')],
  [
    'spec.key brought',
    'a value may be brought',
    by(lifecycle, 'may have a given value, which no other key can have again'),
  ],
  [
    'spec.disabled',
    'a disabled key exists and reaches nothing',
    by('tests/platform/revocation.test.ts', 'when it is disabled, until it is enabled again'),
  ],
  [
    'spec.ttl',
    'a key ends so many seconds after its creation',
    by('tests/platform/revocation.test.ts', 'when it expires'),
  ],
  [
    'spec.ttlAfterLastActivity',
    'the life counts from the last use',
    by('tests/platform/revocation.test.ts', 'keeps a key alive whose lifetime counts from its last use'),
  ],
  [
    'spec.type',
    'User is the kind of a key that users manage; unknown kinds are refused',
    by('src/api/management/kinds.test.ts', 'refuses a negative ttl and an unknown type'),
  ],
  ['spec.type default', 'a key without a type is of the type User'],
  ['spec.identity', 'data of single sign-on', signedIn],
  [
    'spec.identity secrecy',
    'what the platform keeps of single sign-on is never shown',
    by(life, 'is stored by the platform, sealed, and never shown'),
  ],
  ...[
    'userId',
    'username',
    'preferredUsername',
    'email',
    'emailVerified',
    'extraClaims',
    'groups',
    'connector',
    'identityRefresh',
  ].map((name) => [`spec.identity.${name}`, 'it comes from the identity provider', signedIn] as const),
  ['spec.identity.connectorData', 'it is never shown', by(life, 'is stored by the platform, sealed, and never shown')],
  ['spec.oidcProvider', 'it is there if the token is a refresh token', refreshToken],
  ...['clientId', 'nonce', 'redirectUri', 'scopes'].map(
    (name) => [`spec.oidcProvider.${name}`, 'it tells what the refresh token was given for', refreshToken] as const,
  ),
  ['spec.parent', 'deprecated: keys share what single sign-on gave', refreshToken],
  ['spec.oidcLogin', 'deprecated: tokens of a sign-on', earlierForm],
  ['spec.oidcLogin secrecy', 'tokens that do not come from the platform are refused and not repeated', foreignTokens],
  ...['idToken', 'accessToken', 'refreshToken'].map(
    (name) => [`spec.oidcLogin.${name}`, 'a client neither sets nor sees it', foreignTokens] as const,
  ),
  ['spec.oidcLogin.lastRefresh', 'it is still shown', earlierForm],
  [
    'status.lastActivity',
    'it is the time of the last use',
    by('tests/platform/activity.test.ts', 'is exact wherever a key is read, long before it is stored'),
  ],
  [
    'status read-only',
    'no client writes the status of a key',
    by(lifecycle, 'of the status is ignored, even from an administrator'),
  ],
])
