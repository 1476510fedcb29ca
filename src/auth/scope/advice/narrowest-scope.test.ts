import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { KeyUse } from '../../keys/contract.ts'
import { compileScope } from '../compile.ts'
import { validateScope } from '../validate.ts'
import { narrowestScope } from './narrowest-scope.ts'
import { recordedRequest } from './use-request.ts'

const group = 'management.example.com'
const clusterScoped = ['projects', 'users', 'ownedaccesskeys']
const environment = {
  managementGroup: group,
  isClusterScoped: (_: string, resource: string) => clusterScoped.includes(resource),
}
const base: KeyUse = {
  verb: 'get',
  group,
  resource: 'users',
  namespace: '',
  name: 'ann',
  path: '',
  target: 'management',
}
const pods: KeyUse = { ...base, group: '', resource: 'pods', namespace: 'n', name: '' }
const vc = 'project/p/virtualcluster/v'
const selves = [{ group, resources: ['selves'] }]

describe('the narrowest scope', () => {
  it.each<[string, readonly KeyUse[], object]>([
    [
      'nothing',
      [],
      { rules: [{ requestTargets: ['Management'], verbs: ['get'], resources: selves, nonResourceURLs: ['/version'] }] },
    ],
    [
      'what every key may do',
      [{ ...base, resource: '', group: '', name: '', path: '/apis/x' }],
      { rules: [{ requestTargets: ['Management'], verbs: ['get'], resources: selves, nonResourceURLs: ['/version'] }] },
    ],
    [
      'objects of the platform',
      [base, { ...base, verb: 'delete' }, { ...base, name: 'bob' }, { ...base, name: 'bob', verb: 'delete' }],
      {
        rules: [
          {
            requestTargets: ['Management'],
            verbs: ['delete', 'get'],
            resources: [{ group, resources: ['users'], resourceNames: ['ann', 'bob'] }],
            namespaces: [''],
            nonResourceURLs: ['/version'],
          },
        ],
      },
    ],
    [
      'a virtual cluster',
      [
        { ...pods, target: vc },
        { ...pods, verb: 'list', target: vc },
        { ...pods, resource: 'pods/log', target: vc },
        { ...pods, verb: 'list', resource: 'pods/log', target: vc },
      ],
      {
        rules: [
          {
            requestTargets: ['ProjectVirtualCluster'],
            virtualClusters: [{ name: 'v', namespace: 'p-p' }],
            verbs: ['get', 'list'],
            resources: [{ group: '', resources: ['pods', 'pods/log'] }],
            namespaces: ['n'],
            nonResourceURLs: ['/version'],
          },
        ],
      },
    ],
    ['a space', [{ ...pods, target: 'project/p/space/s' }], { spaces: [{ project: 'p', space: 's' }] }],
    [
      'linking',
      [{ ...base, verb: 'create', resource: 'virtualclusterinstances/link', namespace: 'p-p', name: 'v' }],
      { roles: [{ role: 'tenant', projects: ['p'], virtualClusters: ['v'] }] },
    ],
    [
      'folded uses',
      [
        { ...base, name: '*' },
        { ...pods, group: '*', resource: '*', namespace: '*', target: 'cluster/*' },
      ],
      {
        rules: [
          {
            requestTargets: ['Management'],
            verbs: ['get'],
            resources: [{ group, resources: ['users'] }],
            namespaces: [''],
            nonResourceURLs: ['/version'],
          },
          { requestTargets: ['Cluster'], verbs: ['get'], nonResourceURLs: ['/version'] },
        ],
      },
    ],
  ])('for %s', (_, uses, scope) => {
    expect(narrowestScope(uses, environment)).toEqual({ scope, uncovered: [] })
  })

  it('does not exist for what no scope allows', () => {
    const token = { ...pods, verb: 'create', resource: 'serviceaccounts/token', name: 'a' }
    const odd = { ...base, group: '', resource: '', name: '', path: '/a%2fb' }
    expect(narrowestScope([token, base, odd], environment).uncovered).toEqual([token, odd])
  })

  const use = fc.record({
    verb: fc.constantFrom('get', 'list', 'create'),
    group: fc.constantFrom('', group),
    resource: fc.constantFrom('users', 'pods', 'pods/log', 'ownedaccesskeys', ''),
    namespace: fc.constantFrom('', 'a', 'b'),
    name: fc.constantFrom('', 'x', 'y'),
    path: fc.constantFrom('/metrics', '/logs/a'),
    target: fc.constantFrom(
      'management',
      'cluster/c',
      'cluster/d',
      'project/p/virtualcluster/v',
      'project/q/virtualcluster/v',
    ),
  })
  const tidy = (each: KeyUse): KeyUse =>
    each.resource === '' ? { ...each, group: '', namespace: '', name: '' } : { ...each, path: '' }
  /** A collection names no object, and a request for all namespaces names no namespace. */
  const includes = (recorded: KeyUse, asked: KeyUse) =>
    recorded.verb === asked.verb &&
    recorded.group === asked.group &&
    recorded.resource === asked.resource &&
    recorded.path === asked.path &&
    recorded.target === asked.target &&
    (recorded.name === '' || recorded.name === asked.name) &&
    (recorded.namespace === asked.namespace ||
      (recorded.namespace === '' && !clusterScoped.includes(recorded.resource.split('/')[0] ?? '')))

  it('allows everything recorded and nothing else, and is valid for a key', () => {
    fc.assert(
      fc.property(
        fc.array(use, { minLength: 1, maxLength: 12 }),
        fc.array(use, { minLength: 30, maxLength: 30 }),
        (some, others) => {
          const recorded = some.map(tidy)
          const { scope, uncovered } = narrowestScope(recorded, environment)
          expect(uncovered).toEqual([])
          expect(validateScope(scope)).toEqual([])
          const compiled = compileScope(scope, environment)
          for (const each of recorded) expect(compiled?.grant(recordedRequest(each)).granted).toBe(true)
          for (const other of others.map(tidy)) {
            const isRecorded = recorded.some((each) => includes(each, other))
            expect([other, compiled?.grant(recordedRequest(other)).granted]).toEqual([other, isRecorded])
          }
        },
      ),
      { numRuns: 300, endOnFailure: true },
    )
  })
})
