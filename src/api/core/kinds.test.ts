import { describe, expect, it } from 'vitest'
import { findMessage } from '../facts/messages.ts'
import { coreKinds } from './kinds.ts'

const kinds = coreKinds()
const find = (plural: string) => kinds.filter((kind) => kind.plural === plural)
const pluralsWhere = (holds: (kind: (typeof kinds)[number]) => boolean) =>
  kinds
    .filter(holds)
    .map(({ plural }) => plural)
    .sort()

describe('the core kinds', () => {
  it('are those of an embedded cluster', () => {
    expect(pluralsWhere(() => true)).toEqual([
      'clusterrolebindings',
      'clusterroles',
      'configmaps',
      'endpoints',
      'endpointslices',
      'events',
      'events',
      'leases',
      'namespaces',
      'nodes',
      'pods',
      'rolebindings',
      'roles',
      'secrets',
      'serviceaccounts',
      'services',
    ])
  })

  it('are created by PUT where Kubernetes does so', () => {
    expect(pluralsWhere((kind) => kind.allowsCreateOnUpdate)).toEqual([
      'clusterrolebindings',
      'clusterroles',
      'endpoints',
      'events',
      'events',
      'leases',
      'rolebindings',
      'roles',
      'services',
    ])
  })

  it('require a resourceVersion only for Leases', () => {
    expect(pluralsWhere((kind) => !kind.allowsUnconditionalUpdate)).toEqual(['leases'])
  })

  it('answer a deletion with the object where Kubernetes does so', () => {
    expect(pluralsWhere((kind) => kind.deleteAnswer === 'object')).toEqual([
      'namespaces',
      'pods',
      'serviceaccounts',
      'services',
    ])
  })

  it('have a status subresource where Kubernetes has one', () => {
    expect(pluralsWhere((kind) => kind.hasStatus)).toEqual(['namespaces', 'nodes', 'pods', 'services'])
  })

  it('live in the cluster or in namespaces', () => {
    expect(pluralsWhere((kind) => !kind.namespaced)).toEqual([
      'clusterrolebindings',
      'clusterroles',
      'namespaces',
      'nodes',
    ])
  })

  it('have the short names that people type', () => {
    const names = Object.fromEntries(kinds.map((kind) => [kind.plural, kind.shortNames?.join() ?? '']))
    expect(names).toMatchObject({
      namespaces: 'ns',
      services: 'svc',
      endpoints: 'ep',
      configmaps: 'cm',
      serviceaccounts: 'sa',
      events: 'ev',
      pods: 'po',
      nodes: 'no',
      secrets: '',
    })
    expect(pluralsWhere((kind) => kind.categories?.includes('all') ?? false)).toEqual(['pods', 'services'])
  })

  it.each(kinds.map((kind) => [`${kind.group}/${kind.kind}`, kind] as const))(
    '%s has a message and a schema',
    (_, kind) => {
      expect(findMessage(kind.protobufMessage ?? '')).toBeDefined()
      expect(Object.keys(kind.schema.properties ?? {}).slice(0, 3)).toEqual(['apiVersion', 'kind', 'metadata'])
      expect(kind.columns?.every(({ description }) => description !== '')).toBe(true)
      expect(kind.flavor).toBe('builtin')
    },
  )

  it('are distinguished by group', () => {
    expect(find('events').map(({ group, nameRule }) => [group, nameRule])).toEqual([
      ['', 'path-segment'],
      ['events.k8s.io', 'dns-subdomain'],
    ])
  })
})
