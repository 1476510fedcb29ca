import { expect, it } from 'vitest'
import { forbiddenLabels } from './node-labels.ts'

it.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>, readonly string[]]>([
  ['labels of users', { a: '1', 'example.com/b': '2', 'notkubernetes.io/c': '3' }, { a: '0', d: '4' }, []],
  ['labels that a kubelet reports', { 'kubernetes.io/os': 'linux', 'topology.kubernetes.io/zone': 'z' }, {}, []],
  ['the domains of kubelets', { 'node.kubernetes.io/x': '', 'a.kubelet.kubernetes.io/y': '' }, {}, []],
  [
    'labels for scheduling',
    { 'node-restriction.kubernetes.io/x': '', 'a.node-restriction.kubernetes.io/y': '' },
    {},
    ['a.node-restriction.kubernetes.io/y', 'node-restriction.kubernetes.io/x'],
  ],
  [
    'other labels of Kubernetes, including their removal',
    { 'node-role.kubernetes.io/master': '' },
    { 'k8s.io/role': 'x' },
    ['k8s.io/role', 'node-role.kubernetes.io/master'],
  ],
  ['those that stay', { 'node-role.kubernetes.io/master': '' }, { 'node-role.kubernetes.io/master': '' }, []],
  ['names of inherited members', { constructor: 'x' }, {}, []],
])('%s', (_, labels, old, expected) => {
  expect(forbiddenLabels(labels, old)).toEqual(expected)
})
