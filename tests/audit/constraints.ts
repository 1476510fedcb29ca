import { by, notYet, section } from './describe.ts'
import { failures, writes } from './evidence.ts'

export const errors = section('7', [
  [
    'generateName',
    'a collision is a 409',
    by(writes, 'gives up with a 409 when eight generated names in a row are taken'),
  ],
  [
    'blockOwnerDeletion',
    'without the right it is a 422',
    by(writes, 'requires the right to delete a blocking owner, or to change its finalizers'),
  ],
  [
    'role tenant',
    'without the role there is no link, and the error says so',
    by(failures, 'because it lacks the role "tenant" is refused with the reason, and the audit names the layer'),
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
    by('tests/platform/life.test.ts', 'of an earlier form is readable, equals identity, and is never written again'),
  ],
  ['scope.rules', 'scope.rules is deprecated, and says so'],
  ['scope.allowPlatformCli', 'scope.allowPlatformCli is deprecated, and says so'],
])
