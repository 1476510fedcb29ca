import { by, byPairing, byStory, notYet, section } from './describe.ts'

const byShared = byStory('tests/walkthrough/shared-key.test.ts', 'one key that two virtual clusters share')
const byLocal = byStory('tests/create/local.test.ts', 'tenant create while tenant up')
const failures = 'tests/link/failures.test.ts'
const manifests = 'src/cli/create/manifests/manifests.test.ts'
const lookUp = 'src/tenant/platform-key/look-up.test.ts'
const config = 'tests/tenant-config/agreement.test.ts'
const patches = 'tests/patches/spec.test.ts'
const onHost = 'tests/create/kubernetes.test.ts'
const whileLoggedIn = 'tests/create/platform.test.ts'
const writes = 'tests/registry/writes.test.ts'
const syncing = 'tests/sync/control-plane.test.ts'
const kubectlSync = 'tests/sync/kubectl.test.ts'
const throughKubectl =
  'created with kubectl in the virtual cluster, are seen with kubectl on the host under the translated name'

export const service = section('1', [
  [
    'manages',
    'the platform manages virtual clusters that run on hosts',
    by('tests/link/link.test.ts', 'is registered in its project, online, with its versions'),
  ],
  [
    'shared',
    'one Secret holds a key for many virtual clusters',
    byShared('links both, each from a namespace of its own'),
  ],
  [
    'shared rotation',
    'a shared key is rotated in one place',
    byShared('is rotated, and no link goes down, not even when the old value ends'),
  ],
  [
    'dedicated',
    'a virtual cluster has a key of its own',
    by(whileLoggedIn, 'gives the virtual cluster a key that is good for itself alone'),
  ],
  [
    'dedicated revocation',
    'access is revoked for one alone',
    byShared('is followed by a key of its own for one, which returns alone and without a restart'),
  ],
  [
    'api',
    'keys authenticate calls of the API',
    by('tests/platform/lifecycle.test.ts', 'is shown once, works at once, and belongs to its user'),
  ],
  [
    'client',
    'keys authenticate the command line without a person',
    by('tests/cli/platform/login.test.ts', 'comes from %s, and is kept'),
  ],
  [
    'resource',
    'keys are OwnedAccessKey objects',
    by('tests/platform/kubectl.test.ts', 'creates a key from the sample, and uses it'),
  ],
  ['config', 'tenant.yaml says what is synced', by(config, 'fills in what is not written and keeps what is')],
  ['endpoints', 'Endpoints are synced to the host by default', by(kubectlSync, throughKubectl)],
  [
    'services',
    'Services are synced by default, with their Endpoints',
    by(syncing, 'a Service has the address and the node port that the host assigns'),
    by(kubectlSync, throughKubectl),
  ],
  [
    'licensed patches',
    'patches need a license',
    by(
      'src/tenant/license/decide.test.ts',
      'is refused if it %s, with the field and the feature',
      'a tenant without patches needs no license',
    ),
  ],
  [
    'licensed links',
    'linking by a key needs a license',
    by('src/platform/license/admit-link.test.ts', 'refuses a link without the feature, a license or an issuer'),
  ],
])

export const sharedSecret = section('2.2', [
  [
    'kind',
    'a Secret of the host holds the key',
    byShared('begins with an administrator who logs in and keeps a new key, role tenant, in a Secret of the host'),
  ],
  [
    'name',
    'it is called tenant-platform-api-key by default',
    by(lookUp, 'the key of the platform: the first match wins'),
  ],
  [
    'accessKey',
    'the entry accessKey is the key',
    by('src/tenant/platform-key/entries.test.ts', 'line breaks of files'),
  ],
  [
    'host',
    'the entry host is the domain of the platform',
    by('src/tenant/platform-key/entries.test.ts', 'a bare domain means https'),
  ],
  [
    'namespace',
    'it may be in another namespace than the virtual cluster',
    by(manifests, 'lets the tenant read that one Secret in another namespace'),
  ],
  [
    'namespace exists',
    'its namespace has to be there',
    by(onHost, 'makes nothing at all if the namespace of the Secret is not there'),
  ],
  ['recommended', 'one Secret in tenant-platform serves all', byShared('links both, each from a namespace of its own')],
])

export const platformConfig = section('2.3', [
  ['apiKey', 'it says where key and host are', by(lookUp, 'says where it was found')],
  ['apiKey.secretName', 'its default is tenant-platform-api-key', by(config, 'agree on the defaults')],
  ['apiKey.namespace', 'its default is the own namespace', by(config, 'agree on the defaults')],
  [
    'apiKey.namespace access',
    'another namespace needs access, and what is missing is said',
    by(lookUp, 'a Secret that may not be read: exactly what is missing is said'),
  ],
  [
    'apiKey.createRBAC',
    'Role and RoleBinding are made by default',
    by(onHost, 'makes Role and RoleBinding where the Secret is, removes them when they are no longer needed'),
  ],
  ['apiKey.createRBAC false', 'they are not made when it is false', by(manifests, 'makes nothing elsewhere if %s')],
  [
    'platform empty',
    'an empty object is the dedicated mode',
    by(config, 'knows the three ways to link: none said, dedicated, shared'),
  ],
  [
    'precedence',
    'LICENSE, then the named Secret, then the default one',
    by(lookUp, 'the key of the platform: the first match wins'),
  ],
  [
    'precedence 1',
    'the variable LICENSE comes first',
    by(lookUp, 'environment before everything'),
    by('tests/platform-key/key-watch.test.ts', 'asks no server while the environment holds a key'),
  ],
  [
    'precedence 2',
    'the Secret of secretName comes second',
    by(lookUp, 'configured Secret before the default one'),
    by('tests/platform-key/key-watch.test.ts', 'follows a configuration that names another Secret'),
  ],
  [
    'precedence 3',
    'the default Secret of the own namespace comes third',
    by(lookUp, 'default Secret if the configured one does not exist'),
  ],
])

export const endpointSync = section('2.4', [
  ['enabled', 'it is true by default', by(config, 'agree on the defaults')],
  [
    'enabled false',
    'nothing is synced when it is false',
    byPairing('other-kinds', 'copies of a kind that is switched off go'),
  ],
  ['patches', 'there are none by default', by(config, 'agree on the defaults')],
  [
    'patches elsewhere',
    'other kinds take the same patches',
    by('src/patches/config-problems.test.ts', 'are found in every list and point into the text'),
  ],
  [
    'path',
    'it names a field',
    by(patches, 'path: metadata.annotations[*] is every annotation', 'is one annotation by its key'),
  ],
  [
    'path not found',
    'then nothing is applied',
    by(patches, 'path: one that is not found is not applied'),
    by('tests/sync/patch-rules.test.ts', 'a path that is not found is not applied'),
  ],
  ['expression', 'it runs from virtual to host', by(patches, 'expression: applied from virtual to host')],
  ['reverseExpression', 'it runs from host to virtual', by(patches, 'reverseExpression: applied from host to virtual')],
  [
    'reference',
    'the value is rewritten as a reference',
    by(patches, 'a bare name is rewritten in single-namespace mode and the reference handed on'),
  ],
  ['reference.apiVersion', 'it is that of the object referred to', by(patches, 'apiVersion, kind: a bare name')],
  [
    'reference.apiVersionPath',
    'it is read from the object, or falls back',
    by('src/patches/reference.test.ts', 'takes kind and apiVersion from the object where their paths lead to text'),
  ],
  ['reference.kind', 'it is that of the object referred to', by(patches, 'apiVersion, kind: a bare name')],
  [
    'reference.kindPath',
    'it is read from the object, or falls back',
    by('src/patches/reference.test.ts', 'takes kind and apiVersion from the object where their paths lead to text'),
  ],
  [
    'reference.namePath',
    'it leads to the name',
    by('src/patches/reference.test.ts', 'that is an object is rewritten where namePath and namespacePath lead'),
  ],
  [
    'reference.namespacePath',
    'it leads to the namespace',
    by('src/patches/reference.test.ts', 'that is an object is rewritten where namePath and namespacePath lead'),
  ],
  [
    'reference.namespacePath absent',
    'then it is the namespace of the object',
    by('src/patches/reference.test.ts', 'without a namespace is meant in the namespace of the virtual object'),
  ],
  ['reference.labels', 'the value is a label selector', by(patches, 'labels: the value is a label selector')],
  [
    'single namespace',
    'names are translated to v and a suffix',
    by('src/sync/names/host-name.test.ts', 'stays the same in every release'),
    by(patches, 'a bare name is rewritten in single-namespace mode'),
  ],
  ['multi namespace', 'names are not translated', by(patches, 'multi-namespace mode: the name is not translated')],
  [
    'wildcards',
    'an asterisk selects each element of a list',
    by(patches, 'spec.containers[*].name selects every element of an array'),
  ],
  ['wildcards twice', 'several asterisks select through lists', by(patches, 'selects through two arrays')],
  [
    'wildcards of objects',
    'an asterisk selects each member of an object',
    by(patches, 'an asterisk selects every member of an object, each match individually'),
  ],
  ['js 1 expression', 'an expression is one ES6 expression', by(patches, 'is a valid ES6 expression')],
  [
    'js 1 statements',
    'statements and imports are refused',
    by('src/expression/compile.test.ts', 'a statement that begins with %s', 'an import statement'),
  ],
  ['js 1 node', 'nothing of Node.js is there', by('tests/expression/isolation.test.ts', 'and there is no %s')],
  [
    'js 1 sandbox',
    'nothing outside is reached',
    by('tests/expression/isolation.test.ts', 'from each of its globals and from what syntax makes'),
  ],
  [
    'js 2 value',
    'value is the current value; ternary and optional chaining work',
    by(patches, 'value, ternary and optional chaining'),
  ],
  ['js 3 atob', 'atob decodes base64', by(patches, 'atob decodes base64')],
  ['js 3 btoa', 'btoa encodes base64', by(patches, 'btoa encodes base64')],
  [
    'js 3 virtualToHostDNS',
    'it gives the name of a service on the host',
    by(patches, 'virtualToHostDNS translates a service name'),
  ],
  ['js 4', 'missing values have to be guarded against', by(patches, 'a missing value has to be guarded against')],
  [
    'js 5 context',
    'context has its six members',
    by('tests/expression/values.test.ts', 'has the six members of the specification'),
  ],
  [
    'js 5 null',
    'an object that does not exist is null',
    by('tests/expression/values.test.ts', 'has null for an object that does not exist'),
  ],
  [
    'js 5 path',
    'context.path is the path of the match',
    by(patches, 'context.path is the concrete path of each match of a wildcard'),
  ],
  [
    'js 6',
    'a direction without an expression is left alone',
    by(patches, 'without an expression for a direction that direction is untouched'),
  ],
  [
    'js 7',
    'a pair that does not cancel out is found',
    by(patches, 'a pair that cancels out brings every value back', 'a pair that does not is found out'),
  ],
  ['js 8', 'a constant is a quoted text', by(patches, 'a constant is a quoted string literal')],
  [
    'reference rule 1',
    'an object of the host that is referred to is imported',
    by(patches, 'is handed on for import'),
    by('tests/create/pod.test.ts', 'imports the one object that it may read'),
  ],
  [
    'reference rule 2',
    'a virtual object that is referred to is synced',
    by(patches, 'a virtual object that is referred to is handed on for syncing'),
  ],
])

export const states = section('3', [
  [
    'enabled',
    'a key that is not disabled works',
    by('tests/platform/lifecycle.test.ts', 'is shown once, works at once, and belongs to its user'),
  ],
  [
    'disabled',
    'a disabled key exists and is refused',
    by('tests/platform/revocation.test.ts', 'when it is disabled, until it is enabled again'),
  ],
  [
    'deletion requested',
    'a key stays until its finalizers are gone, and is refused meanwhile',
    by('tests/platform/revocation.test.ts', 'when it is deleted, also while a finalizer keeps it'),
  ],
  ['expired', 'a key whose time is over is refused', by('tests/platform/revocation.test.ts', 'when its time is over')],
  [
    'expired from activity',
    'the time counts from the last use if told so',
    by('tests/platform/activity.test.ts', 'never ends early because the server stopped before its use was stored'),
  ],
])

export const operations = section('4', [
  [
    'plural',
    'the resource is ownedaccesskeys in the group of the platform',
    by('src/api/management/kinds.test.ts', 'are these, in one group of the platform domain'),
  ],
  ['create', 'a key is made from an object', by(writes, 'answers with what it stored, and a read gives the same')],
  [
    'create conflict',
    'a generated name that collides is a 409',
    by(writes, 'gives up with a 409 when eight generated names in a row are taken'),
  ],
  [
    'update',
    'a whole object replaces one of the version that was read',
    by(writes, 'takes a write of what was read last, and refuses one of what was read before'),
  ],
  ['patch', 'a JSON Patch changes a part'],
  [
    'patch annotation',
    'a pointer leads to one annotation',
    by('src/registry/patch/json-patch.test.ts', 'what was added can be tested and removed again'),
  ],
  [
    'delete',
    'a key is deleted by its name',
    by('tests/platform/kubectl.test.ts', 'deletes it, which a finalizer puts off'),
  ],
  [
    'login',
    'platform login takes an address and a key',
    by('tests/cli/platform/login.test.ts', 'on the command line is warned about, with the alternatives'),
  ],
  [
    'connect',
    'connect takes a name and a project',
    by('tests/connect/connect.test.ts', 'makes the virtual cluster the current context, and disconnect goes back'),
  ],
  ['upgrade', 'create --upgrade applies a file', by(onHost, 'shows the diff and keeps what others have changed')],
  [
    'registration',
    'who is logged in registers what they create',
    byLocal('is registered as deployed from outside, in a place that no other may have'),
  ],
  [
    'secret',
    'the client makes the Secret beside the virtual cluster',
    by(whileLoggedIn, 'gives the virtual cluster a key that is good for itself alone'),
  ],
  [
    'secret read',
    'the virtual cluster reads it by default',
    by('tests/create/pod.test.ts', 'links to the platform with the key that was minted for it'),
  ],
  [
    'explicit apiKey',
    'a Secret that is named is used instead',
    by(whileLoggedIn, 'makes no Secret where the configuration names one, and registers all the same'),
  ],
  [
    'console',
    'the console makes keys with a name and a scope',
    by('tests/console/keys.test.ts', 'makes a key step by step, shows it once, and forgets it'),
  ],
  [
    'console once',
    'the value is shown once',
    by('tests/console/keys.test.ts', 'makes a key step by step, shows it once, and forgets it'),
  ],
])

export const authentication = section('5', [
  [
    'bearer',
    'a key is a bearer token for API and client',
    by('tests/platform/lifecycle.test.ts', 'is shown once, works at once, and belongs to its user'),
  ],
  [
    'disabled',
    'a disabled key is rejected',
    by('tests/platform/revocation.test.ts', 'when it is disabled, until it is enabled again'),
  ],
  [
    'role tenant',
    'linking takes the role tenant',
    by(failures, 'without the role "tenant" is refused by name, and the audit says by which layer'),
  ],
  [
    'role tenant projects',
    'with all projects it is good for all',
    byShared('links both, each from a namespace of its own'),
  ],
  [
    'own keys',
    'each user makes own keys and logs in with them',
    by('tests/platform/own-keys.test.ts', 'a user lists and watches own keys and those of own teams, in order'),
  ],
  [
    'permissions',
    'they come from the scope, and the groups of the key are added',
    by('src/auth/keys/authenticator.test.ts', 'brings the scope of the key along'),
  ],
  [
    'secret rights',
    'a Secret on the host takes rights on the host',
    by(onHost, 'leaves nothing behind when something cannot be applied'),
  ],
  [
    'key rights',
    'a key takes rights on the platform',
    by('tests/platform/lifecycle.test.ts', 'for %s takes the right to act for them'),
  ],
  [
    'format',
    'a value that is too short or too long is refused',
    by('tests/platform/lifecycle.test.ts', 'is refused with %s'),
  ],
])

export const errors = section('7', [
  [
    'generateName',
    'a collision is a 409',
    by(writes, 'gives up with a 409 when eight generated names in a row are taken'),
  ],
  [
    'blockOwnerDeletion',
    'without the right it is a 422',
    by(writes, 'wants permission to delete an owner that it makes wait, or to change its finalizers'),
  ],
  [
    'role tenant',
    'without the role there is no link, and the error says so',
    by(failures, 'without the role "tenant" is refused by name, and the audit says by which layer'),
  ],
])

export const limits = section('8', [
  ['controller', 'at most one owner controls'],
  ['generateName', 'a prefix is cut so that the suffix fits'],
  [
    'expressions',
    'they are ES6 expressions without statements and imports',
    by('src/expression/compile.test.ts', 'a statement that begins with %s', 'an import statement'),
  ],
])

export const versioning = section('9', [
  [
    'v1',
    'the apiVersion is that of the platform’s group, v1',
    by('src/api/management/kinds.test.ts', 'are these, in one group of the platform domain'),
  ],
  ['unknown', 'another apiVersion is rejected'],
  ['parent', 'spec.parent is deprecated', notYet('no client can set it: only single sign-on of applications does')],
  [
    'oidcLogin',
    'spec.oidcLogin is deprecated, identity is used',
    by(
      'tests/platform/life.test.ts',
      'of an earlier form is readable, says the same as identity, and is never written anew',
    ),
  ],
  ['scope.rules', 'scope.rules is deprecated, and says so'],
  ['scope.allowPlatformCli', 'scope.allowPlatformCli is deprecated, and says so'],
])
