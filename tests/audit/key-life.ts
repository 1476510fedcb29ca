import { by, byStory, section } from './describe.ts'
import { byShared, failures, onHost, whileLoggedIn, writes } from './evidence.ts'

const byLocal = byStory(
  'tests/create/local.test.ts',
  'tenant create with tenant up as the current platform, with any data directory,',
)

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
  ['expired', 'a key whose time is over is refused', by('tests/platform/revocation.test.ts', 'when it expires')],
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
  ['create', 'a key is made from an object', by(writes, 'returns the stored object, and a read returns the same')],
  [
    'create conflict',
    'a generated name that collides is a 409',
    by(writes, 'gives up with a 409 when eight generated names in a row are taken'),
  ],
  [
    'update',
    'a whole object replaces one of the version that was read',
    by(writes, 'accepts a write of the latest version, and refuses one of an earlier version'),
  ],
  ['patch', 'a JSON Patch changes a part'],
  [
    'patch annotation',
    'a pointer leads to one annotation',
    by('src/registry/patch/json-patch.test.ts', 'an added value can be tested and removed again'),
  ],
  [
    'delete',
    'a key is deleted by its name',
    by('tests/platform/kubectl.test.ts', 'deletes it, which a finalizer delays'),
  ],
  [
    'login',
    'platform login takes an address and a key',
    by('tests/cli/platform/login.test.ts', 'on the command line causes a warning with the alternatives'),
  ],
  [
    'connect',
    'connect takes a name and a project',
    by('tests/connect/connect.test.ts', 'makes the virtual cluster the current context, and disconnect goes back'),
  ],
  ['upgrade', 'create --upgrade applies a file', by(onHost, 'shows the diff and keeps changes of others')],
  [
    'registration',
    'who is logged in registers what they create',
    byLocal('registers it as deployed externally, in a reserved place'),
  ],
  [
    'secret',
    'the client makes the Secret beside the virtual cluster',
    by(whileLoggedIn, 'gives the virtual cluster a key for itself only'),
  ],
  [
    'secret read',
    'the virtual cluster reads it by default',
    by('tests/create/pod.test.ts', 'links to the platform with the key created for it'),
  ],
  [
    'explicit apiKey',
    'a Secret that is named is used instead',
    by(whileLoggedIn, 'creates no Secret if the configuration names one, but registers'),
  ],
  [
    'console',
    'the console makes keys with a name and a scope',
    by('tests/console/keys.test.ts', 'creates a key step by step, shows it once, and discards it'),
  ],
  [
    'console once',
    'the value is shown once',
    by('tests/console/keys.test.ts', 'creates a key step by step, shows it once, and discards it'),
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
    by(failures, 'because it lacks the role "tenant" is refused with the reason, and the audit names the layer'),
  ],
  ['role tenant projects', 'with all projects it is good for all', byShared('links both, each from its own namespace')],
  [
    'own keys',
    'each user makes own keys and logs in with them',
    by('tests/platform/own-keys.test.ts', 'a user lists and watches own keys and those of own teams, in order'),
  ],
  [
    'permissions',
    'they come from the scope, and the groups of the key are added',
    by('src/auth/keys/authenticator.test.ts', 'has the scope of the key'),
  ],
  [
    'secret rights',
    'a Secret on the host takes rights on the host',
    by(onHost, 'leaves nothing behind when an object cannot be applied'),
  ],
  [
    'key rights',
    'a key takes rights on the platform',
    by('tests/platform/lifecycle.test.ts', 'for %s requires the right to impersonate them'),
  ],
  [
    'format',
    'a value that is too short or too long is refused',
    by('tests/platform/lifecycle.test.ts', 'is refused with %s'),
  ],
])
