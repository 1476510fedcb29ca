import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../api/object.ts'
import { aggregatedRoleOf, gatheredRules, namesInOrder, rulesInForce } from './aggregation.ts'

function rule(resource: string) {
  return { verbs: ['get'], apiGroups: [''], resources: [resource] }
}

function role(name: string, labels: Readonly<Record<string, string>>, rest: object): KubeObject {
  return { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name, labels }, ...rest }
}

function aggregating(name: string, labels: Readonly<Record<string, string>>, ...clusterRoleSelectors: object[]) {
  return role(name, labels, { aggregationRule: { clusterRoleSelectors } })
}

function inForce(name: string, roles: readonly KubeObject[]): readonly string[] {
  const facts = namesInOrder(roles.map(aggregatedRoleOf))
  const found = facts.find((each) => each.name === name)
  return found === undefined ? [] : rulesInForce(found, facts).flatMap((each) => each.resources)
}

const leaves = [
  role('z', { team: 'red', tier: '1' }, { rules: [rule('z')] }),
  role('a', { team: 'red' }, { rules: [rule('a'), rule('shared')] }),
  role('b', { team: 'blue' }, { rules: [rule('b'), rule('shared')] }),
  role('plain', {}, { rules: [rule('plain')] }),
]

describe('an aggregating role has the rules of the roles it selects', () => {
  it.each([
    ['one label', [{ matchLabels: { team: 'red' } }], ['a', 'shared', 'z']],
    ['two labels', [{ matchLabels: { team: 'red', tier: '1' } }], ['z']],
    [
      'either of two selectors',
      [{ matchLabels: { team: 'blue' } }, { matchLabels: { tier: '1' } }],
      ['b', 'shared', 'z'],
    ],
    [
      'In',
      [{ matchExpressions: [{ key: 'team', operator: 'In', values: ['red', 'blue'] }] }],
      ['a', 'shared', 'b', 'z'],
    ],
    ['NotIn', [{ matchExpressions: [{ key: 'team', operator: 'NotIn', values: ['red'] }] }], ['b', 'shared', 'plain']],
    ['Exists', [{ matchExpressions: [{ key: 'tier', operator: 'Exists' }] }], ['z']],
    ['DoesNotExist', [{ matchExpressions: [{ key: 'team', operator: 'DoesNotExist' }] }], ['plain']],
    ['an unknown operator', [{ matchExpressions: [{ key: 'team', operator: 'Near' }] }], []],
    ['an empty selector', [{}], ['a', 'shared', 'b', 'plain', 'z']],
    ['no selector', [], []],
  ])('%s', (_name, selectors, resources) => {
    expect(inForce('all', [...leaves, aggregating('all', {}, ...selectors)])).toEqual(resources)
  })

  it('through other aggregating roles too, even when they select each other', () => {
    const roles = [
      ...leaves,
      aggregating('one', { to: 'two' }, { matchLabels: { to: 'one' } }, { matchLabels: { team: 'blue' } }),
      aggregating('two', { to: 'one' }, { matchLabels: { to: 'two' } }, { matchLabels: { tier: '1' } }),
    ]
    expect(inForce('one', roles)).toEqual(['z', 'b', 'shared'])
    expect(inForce('two', roles).toSorted()).toEqual(['b', 'shared', 'z'])
  })
})

it('the rules of a role that itself aggregates are in the place of its name', () => {
  const roles = [
    role('system:own', { to: 'admin' }, { rules: [rule('own')] }),
    aggregating('edit', { to: 'admin' }, { matchLabels: { to: 'edit' } }),
    role('system:edited', { to: 'edit' }, { rules: [rule('edited')] }),
    aggregating('admin', {}, { matchLabels: { to: 'admin' } }),
  ]
  expect(inForce('admin', roles)).toEqual(['edited', 'own'])
})

describe('the rules of an aggregating role are limited, and those beyond the limit are not in force', () => {
  const choosing = (count: number, name: string) =>
    Array.from({ length: count }, (_, index) => ({ matchLabels: { [`${name}-${index}`]: 'v' } }))
  const chosen = role('chosen', { last: 'v' }, { rules: [rule('chosen')] })

  it('by the number of labels in selectors, including those of selected roles', () => {
    const last = { matchLabels: { last: 'v' } }
    const others = ['b', 'c', 'd'].map((name) => aggregating(name, { aggregating: 'v' }, ...choosing(99, name)))
    const first = { matchLabels: { aggregating: 'v' } }
    expect(inForce('a', [chosen, ...others, aggregating('a', {}, first, last)])).toEqual(['chosen'])
    expect(
      inForce('a', [chosen, ...others, aggregating('e', { aggregating: 'v' }, last), aggregating('a', {}, first)]),
    ).toEqual([])
  })

  it('by their total length', () => {
    const long = (name: string) => role(name, { last: 'v' }, { rules: [rule(name.repeat(500_000))] })
    const gathered = inForce('all', [
      ...['a', 'b', 'c'].map(long),
      aggregating('all', {}, { matchLabels: { last: 'v' } }),
    ])
    expect(gathered.map(([first]) => first)).toEqual(['a', 'b'])
  })
})

it('are gathered in steps, however many roles and rules there are', () => {
  const rules = Array.from({ length: 2_500 }, (_, index) => rule(`r${index}`))
  const roles = Array.from({ length: 2_000 }, (_, index) => role(`role-${index}`, { last: `v${index}` }, {}))
  const facts = namesInOrder(
    [...roles, role('full', { last: 'v' }, { rules }), aggregating('all', {}, { matchLabels: { last: 'v' } })].map(
      aggregatedRoleOf,
    ),
  )
  const all = facts.find(({ name }) => name === 'all')
  const steps = all === undefined ? [] : [...gatheredRules(all, facts)]
  expect(steps).toHaveLength(4)
})

it.each([
  ['a selector with many conditions', { conditions: 100, texts: 1 }, 10],
  ['rules with many texts', { conditions: 1, texts: 500 }, 4],
])('%s takes more steps', (_, { conditions, texts }, steps) => {
  const matchExpressions = Array.from({ length: conditions }, (_, at) => ({ key: `k${at}`, operator: 'DoesNotExist' }))
  const resources = Array.from({ length: texts }, (_, at) => `r${at}`)
  const leaf = (index: number) => role(`role-${index}`, {}, { rules: [{ ...rule('r'), resources }] })
  const leaves = Array.from({ length: 99 }, (_, index) => leaf(index))
  const facts = namesInOrder([...leaves, aggregating('all', {}, { matchExpressions })].map(aggregatedRoleOf))
  const all = facts.find(({ name }) => name === 'all')
  expect(all === undefined ? [] : [...gatheredRules(all, facts)]).toHaveLength(steps)
})
