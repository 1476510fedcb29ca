import { describe, expect, it } from 'vitest'
import type { RuleWithOperations } from '../../api/types/admissionregistration-v1.ts'
import { type RuleSubject, RuleTable } from './rule-match.ts'

const pods: RuleWithOperations = {
  operations: ['CREATE'],
  apiGroups: [''],
  apiVersions: ['v1'],
  resources: ['pods'],
  scope: '*',
}
const newPod: RuleSubject = {
  operation: 'CREATE',
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'shop',
}
const newNamespace: RuleSubject = { ...newPod, resource: 'namespaces', namespace: 'shop' }
const newNode: RuleSubject = { ...newPod, resource: 'nodes', namespace: '' }

describe('a rule of a webhook', () => {
  it.each<[string, Partial<RuleWithOperations>, RuleSubject]>([
    ['names the written resource', {}, newPod],
    ['means all operations', { operations: ['*'] }, { ...newPod, operation: 'DELETE' }],
    ['means all groups', { apiGroups: ['*'], resources: ['jobs'] }, { ...newPod, group: 'batch', resource: 'jobs' }],
    ['means all versions', { apiVersions: ['*'] }, { ...newPod, version: 'v2' }],
    ['means all resources', { resources: ['*'] }, newPod],
    ['means all resources and all below them', { resources: ['*/*'] }, { ...newPod, subresource: 'exec' }],
    ['means a resource and all below it', { resources: ['pods/*'] }, newPod],
    ['means one subresource of all', { resources: ['*/scale'] }, { ...newPod, resource: 'x', subresource: 'scale' }],
    ['matches namespaced objects', { scope: 'Namespaced' }, newPod],
    ['matches cluster-scoped objects', { scope: 'Cluster', resources: ['nodes'] }, newNode],
    ['treats a Namespace as cluster-scoped', { scope: 'Cluster', resources: ['namespaces'] }, newNamespace],
  ])('%s', (_, change, subject) => {
    expect(new RuleTable([{ ...pods, ...change }]).matches(subject)).toBe(true)
  })

  it.each<[string, Partial<RuleWithOperations>, RuleSubject]>([
    ['of another operation', {}, { ...newPod, operation: 'UPDATE' }],
    ['of another group', {}, { ...newPod, group: 'apps' }],
    ['of another version', {}, { ...newPod, version: 'v2' }],
    ['of another resource', {}, newNode],
    ['of the resource, below which it is', {}, { ...newPod, subresource: 'status' }],
    ['of all resources, for a subresource', { resources: ['*'] }, { ...newPod, subresource: 'status' }],
    ['of another subresource', { resources: ['pods/log'] }, { ...newPod, subresource: 'exec' }],
    ['of the cluster alone', { scope: 'Cluster' }, newPod],
    ['of namespaces alone', { scope: 'Namespaced', resources: ['namespaces'] }, newNamespace],
    ['of nothing', { operations: [], resources: [] }, newPod],
  ])('does not match anything else: a rule %s', (_, change, subject) => {
    expect(new RuleTable([{ ...pods, ...change }]).matches(subject)).toBe(false)
  })
})

describe('the rules of a webhook', () => {
  const named = (resources: readonly string[]): RuleWithOperations => ({ ...pods, resources: [...resources] })

  it.each<[string, RuleWithOperations[], number | undefined]>([
    ['the first that matches', [named(['nodes']), named(['*']), named(['pods'])], 1],
    ['none', [named(['nodes']), { ...pods, operations: ['UPDATE'] }], undefined],
    ['one of many groups', [{ ...pods, apiGroups: [...Array.from({ length: 20 }, (_, at) => `g${at}`), ''] }], 0],
  ])('%s', (_, rules, position) => {
    expect(new RuleTable(rules).positionOf(newPod)).toBe(position)
  })

  it('that are about other resources are not looked at', () => {
    let looks = 0
    const others = new Proxy(['UPDATE'], {
      get(target, name) {
        if (name === 'includes') looks += 1
        return Reflect.get(target, name)
      },
    })
    const table = new RuleTable([
      ...Array.from({ length: 1_000 }, (_, at) => ({ ...named([`kind${at}`]), operations: others })),
      named(['pods']),
    ])
    looks = 0
    expect(table.matches(newPod)).toBe(true)
    expect(looks).toBe(0)
  })
})
