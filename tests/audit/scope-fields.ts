import { by, section } from './describe.ts'

const authorizer = 'src/auth/scope/scoped-authorizer.test.ts'
const model = by('tests/scope/agreement.test.ts', 'requests, many of them allowed and many refused by the scope alone')
const inside = 'tests/proxy/access.test.ts'

export const scopeRequirements = section('2.1', [
  ['scope.roles', 'a role of the catalog is a permission', by(authorizer, 'is allowed by %j')],
  ['scope.roles.role', 'a role is known by its name'],
  [
    'scope.roles.projects',
    'a role counts in the projects that it names',
    by(
      'tests/link/failures.test.ts',
      'because its role is for another project or virtual cluster is refused in the same way',
    ),
  ],
  [
    'scope.roles.virtualClusters',
    'a role counts for the virtual clusters that it names',
    by(
      'tests/link/failures.test.ts',
      'because its role is for another project or virtual cluster is refused in the same way',
    ),
  ],
  ['scope.projects', 'a key is limited to projects', by(inside, 'reaches everything in a project that it names')],
  ['scope.projects all', 'an asterisk is all projects'],
  ['scope.spaces', 'a key is limited to spaces', model],
  ['scope.spaces all', 'an asterisk is all spaces', model],
  [
    'scope.virtualClusters',
    'a key is limited to virtual clusters',
    by(inside, 'reaches the virtual cluster that it names and no other'),
  ],
  ['scope.virtualClusters all', 'an asterisk is all virtual clusters', model],
  [
    'scope.clusters',
    'a key is limited to clusters',
    by('tests/proxy/clusters.test.ts', 'allows exactly what it did in a cluster'),
  ],
  ['scope.clusters all', 'an asterisk is all clusters', model],
  ['scope.rules.verbs', 'a rule is for its verbs'],
  ['scope.rules.verbs empty', 'without verbs it is for all'],
  ['scope.rules.resources.group', 'a rule is for kinds of a group, the empty one is the core'],
  ['scope.rules.resources.resources', 'a rule is for the resources that it names'],
  [
    'scope.rules.resources.resources patterns',
    'pods, pods/log, *, pods/* and */scale are patterns',
    by('src/auth/scope/resource-pattern.test.ts', '%j allow %s/%s: %j'),
  ],
  ['scope.rules.resources.resources empty', 'without resources it is for all of the group'],
  ['scope.rules.resources.resourceNames', 'a rule is for the objects that it names'],
  ['scope.rules.resources.resourceNames need', 'names of objects need resources'],
  ['scope.rules.resources empty', 'without an entry it is for all kinds'],
  ['scope.rules.namespaces', 'a rule is for its namespaces'],
  ['scope.rules.namespaces none', 'the empty text is what is in no namespace'],
  ['scope.rules.namespaces empty', 'an empty list is every namespace'],
  ['scope.rules.nonResourceURLs', 'a rule is for paths, with a wildcard as the whole last step'],
  ['scope.rules.nonResourceURLs wildcard', 'a wildcard anywhere else is refused'],
  ['scope.rules.requestTargets', 'a rule is for its targets'],
  ['scope.rules.requestTargets empty', 'an empty list is every target', model],
  ['scope.rules.cluster', 'a rule with a cluster is for requests to that cluster alone'],
  ['scope.rules.cluster empty', 'without a cluster it is not limited to one', model],
  [
    'scope.rules.virtualClusters',
    'a rule is for the virtual clusters that it names',
    by(inside, 'with rules has exactly their rights there'),
    model,
  ],
  ['scope.rules.virtualClusters empty', 'an empty name or namespace is all of them', model],
  ['scope.allowPlatformCli', 'deprecated: the client works with the key'],
  ['scope.roles platformCLI', 'the role platformCLI is the same'],
  [
    'scope never widens',
    'a scope takes away and gives nothing',
    by(
      'tests/platform/escalation.test.ts',
      'reaches what its scope names',
      'makes narrower keys, which reach no more than they say',
    ),
  ],
])
