import { describe, expect, it } from 'vitest'
import { aggregatedResources, groupVersions, resourcesOfVersion, staleVersions } from './parse.ts'

const deployments = {
  group: 'apps',
  version: 'v1',
  resource: 'deployments',
  kind: 'Deployment',
  namespaced: true,
  hasStatus: true,
}

it('reads the resources of one version of a group', () => {
  const body = {
    kind: 'APIResourceList',
    groupVersion: 'apps/v1',
    resources: [
      { name: 'deployments', kind: 'Deployment', namespaced: true },
      { name: 'deployments/status', kind: 'Deployment', namespaced: true },
      { name: 'deployments/scale', kind: 'Scale', group: 'autoscaling', version: 'v1', namespaced: true },
    ],
  }
  expect(resourcesOfVersion(body)).toEqual([deployments])
})

it('puts the preferred version first', () => {
  const versions = [{ groupVersion: 'batch/v1beta1' }, { groupVersion: 'batch/v1' }]
  const groups = [{ name: 'batch', preferredVersion: { groupVersion: 'batch/v1' }, versions }]
  expect(groupVersions({ groups })).toEqual(['batch/v1', 'batch/v1beta1'])
})

it('reads everything in one answer', () => {
  const resources = [
    {
      resource: 'deployments',
      responseKind: { group: '', version: '', kind: 'Deployment' },
      scope: 'Namespaced',
      subresources: [{ subresource: 'scale' }, { subresource: 'status' }],
    },
    { resource: 'nodes', responseKind: { kind: 'Node' }, scope: 'Cluster' },
  ]
  const items = [{ metadata: { name: 'apps' }, versions: [{ version: 'v1', resources }] }]
  expect(aggregatedResources({ kind: 'APIGroupDiscoveryList', items })).toEqual([
    deployments,
    { ...deployments, resource: 'nodes', kind: 'Node', namespaced: false, hasStatus: false },
  ])
})

it.each([{}, { kind: 'APIGroupList', groups: null }, { resources: [null, 1, 'x', {}] }])('survives %j', (body) => {
  expect(aggregatedResources(body)).toBeUndefined()
  expect(groupVersions(body)).toEqual([])
  expect(() => resourcesOfVersion(body)).not.toThrow()
})

describe('names that could lead to another path', () => {
  const elsewhere = ['../x', 'a/../../b', 'a?b', 'a%2fb', 'Ä', '', 'a\r\nb', 'x'.repeat(300)]

  it.each(elsewhere)('are not groups or versions: %j', (name) => {
    const versions = [{ groupVersion: `${name}/v1` }, { groupVersion: `apps/${name}` }, { groupVersion: 'apps/v1' }]
    expect(groupVersions({ groups: [{ name, versions }] })).toEqual(['apps/v1'])
    const stale = [{ metadata: { name }, versions: [{ version: 'v1', freshness: 'Stale' }] }]
    expect(staleVersions({ items: stale })).toEqual([])
  })

  it.each(elsewhere)('are not resources: %j', (name) => {
    const one = { name, kind: 'Pod' }
    expect(resourcesOfVersion({ groupVersion: 'v1', resources: [one, { name: 'pods', kind: name }] })).toEqual([])
    const resources = [{ resource: name, responseKind: { kind: 'Pod' } }]
    const items = [{ metadata: { name: 'apps' }, versions: [{ version: 'v1', resources }] }]
    expect(aggregatedResources({ kind: 'APIGroupDiscoveryList', items })).toEqual([])
  })
})
