import { by, section } from './describe.ts'
import { byShared, config, whileLoggedIn } from './evidence.ts'

const syncing = 'tests/sync/control-plane.test.ts'
const kubectlSync = 'tests/sync/kubectl.test.ts'
const throughKubectl =
  'created with kubectl in the virtual cluster, are visible with kubectl on the host under the translated name'

export const service = section('1', [
  [
    'manages',
    'the platform manages virtual clusters that run on hosts',
    by('tests/link/link.test.ts', 'is registered in its project, online, with its versions'),
  ],
  ['shared', 'one Secret holds a key for many virtual clusters', byShared('links both, each from its own namespace')],
  [
    'shared rotation',
    'a shared key is rotated in one place',
    byShared('is rotated, and no link is cut, not even when the old value ends'),
  ],
  [
    'dedicated',
    'a virtual cluster has a key of its own',
    by(whileLoggedIn, 'gives the virtual cluster a key for itself only'),
  ],
  [
    'dedicated revocation',
    'access is revoked for one alone',
    byShared('is replaced by a separate key for one, which returns alone and without a restart'),
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
  ['config', 'tenant.yaml says what is synced', by(config, 'adds defaults and keeps given values')],
  ['endpoints', 'Endpoints are synced to the host by default', by(kubectlSync, throughKubectl)],
  [
    'services',
    'Services are synced by default, with their Endpoints',
    by(syncing, 'a Service gets the cluster IP and the node port that the host assigns'),
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
