import { by, section } from './describe.ts'
import { byShared, config, onHost } from './evidence.ts'

const manifests = 'src/cli/create/manifests/manifests.test.ts'
const lookUp = 'src/tenant/platform-key/look-up.test.ts'

export const sharedSecret = section('2.2', [
  [
    'kind',
    'a Secret of the host holds the key',
    byShared('starts with an administrator who logs in and stores a new key, role tenant, in a Secret of the host'),
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
    by(onHost, 'creates nothing if the namespace of the Secret is missing'),
  ],
  ['recommended', 'one Secret in tenant-platform serves all', byShared('links both, each from its own namespace')],
])

export const platformConfig = section('2.3', [
  ['apiKey', 'it says where key and host are', by(lookUp, 'names where it was found')],
  ['apiKey.secretName', 'its default is tenant-platform-api-key', by(config, 'agree on the defaults')],
  ['apiKey.namespace', 'its default is the own namespace', by(config, 'agree on the defaults')],
  [
    'apiKey.namespace access',
    'another namespace needs access, and what is missing is said',
    by(lookUp, 'a Secret that may not be read: exactly the missing rights are named'),
  ],
  [
    'apiKey.createRBAC',
    'Role and RoleBinding are made by default',
    by(onHost, 'creates Role and RoleBinding beside the Secret, and removes them when they are no longer needed'),
  ],
  [
    'apiKey.createRBAC false',
    'they are not made when it is false',
    by(manifests, 'creates nothing in other namespaces if %s'),
  ],
  [
    'platform empty',
    'an empty object is the dedicated mode',
    by(config, 'distinguishes the three ways to link: none, dedicated, shared'),
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
    by('tests/platform-key/key-watch.test.ts', 'calls no server while the environment contains a key'),
  ],
  [
    'precedence 2',
    'the Secret of secretName comes second',
    by(lookUp, 'configured Secret before the default one'),
    by('tests/platform-key/key-watch.test.ts', 'follows a changed Secret name in the configuration'),
  ],
  [
    'precedence 3',
    'the default Secret of the own namespace comes third',
    by(lookUp, 'default Secret if the configured one does not exist'),
  ],
])
