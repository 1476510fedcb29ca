import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ReviewResource } from '../../src/server/reviews/contract.ts'
import { startApi, type TestApi, widget } from './ask.ts'

const review = {
  version: 'v1',
  schema: { type: 'object' },
  protobufMessage: '',
  review: (input) => input,
} satisfies Partial<ReviewResource>

const reviews: readonly ReviewResource[] = [
  {
    ...review,
    group: 'authentication.k8s.io',
    kind: 'TokenReview',
    plural: 'tokenreviews',
    singular: 'tokenreview',
    namespaced: false,
  },
  {
    ...review,
    group: 'authentication.k8s.io',
    kind: 'TokenRequest',
    plural: 'token',
    singular: '',
    namespaced: true,
    parent: 'pods',
  },
]

let api: TestApi
beforeAll(async () => {
  api = await startApi({ reviews })
})
afterAll(() => api.stop())

const aggregated = (version: string) => ({
  headers: { Accept: `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList,application/json` },
})

describe('discovery', () => {
  it('starts with versions and groups', async () => {
    expect((await api.ask('/api')).json).toEqual({
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '127.0.0.1:8443' }],
    })
    const version = { groupVersion: 'things.example.com/v1', version: 'v1' }
    const group = { name: 'things.example.com', versions: [version], preferredVersion: version }
    expect((await api.ask('/apis/')).json).toMatchObject({
      kind: 'APIGroupList',
      apiVersion: 'v1',
      groups: [{ name: 'authentication.k8s.io' }, group],
    })
    expect((await api.ask('/apis/things.example.com')).json).toEqual({ kind: 'APIGroup', apiVersion: 'v1', ...group })
  })

  it('lists the resources of a built-in group with their subresources', async () => {
    const { json } = await api.ask('/api/v1')
    expect(json).toMatchObject({ kind: 'APIResourceList', groupVersion: 'v1' })
    expect(json).not.toHaveProperty('apiVersion')
    const { resources } = json as { resources: { name: string }[] }
    expect(resources.map(({ name }) => name)).toEqual([
      'configmaps',
      'namespaces',
      'namespaces/finalize',
      'namespaces/status',
      'pods',
      'pods/ephemeralcontainers',
      'pods/resize',
      'pods/status',
      'pods/token',
    ])
    expect(resources).toContainEqual({
      name: 'configmaps',
      singularName: 'configmap',
      namespaced: true,
      kind: 'ConfigMap',
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      shortNames: ['cm'],
      storageVersionHash: 'qFsyl6wFWjQ=',
    })
    expect(resources).toContainEqual(
      expect.objectContaining({
        name: 'namespaces',
        verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
      }),
    )
    expect(resources).toContainEqual({
      name: 'pods/token',
      singularName: '',
      namespaced: true,
      group: 'authentication.k8s.io',
      version: 'v1',
      kind: 'TokenRequest',
      verbs: ['create'],
    })
  })

  it('lists custom resources with the verbs in their order', async () => {
    expect((await api.ask('/apis/things.example.com/v1')).json).toEqual({
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion: 'things.example.com/v1',
      resources: [
        {
          name: 'widgets',
          singularName: 'widget',
          namespaced: false,
          kind: 'Widget',
          verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
          storageVersionHash: '/qenYoj3POI=',
        },
        {
          name: 'widgets/status',
          singularName: '',
          namespaced: false,
          kind: 'Widget',
          verbs: ['get', 'patch', 'update'],
        },
      ],
    })
  })

  it('lists reviews, which can only be created', async () => {
    expect((await api.ask('/apis/authentication.k8s.io/v1')).json).toMatchObject({
      resources: [{ name: 'tokenreviews', kind: 'TokenReview', verbs: ['create'] }],
    })
    expect((await api.ask('/apis/authentication.k8s.io/v1/tokenreviews')).status).toBe(405)
  })

  it.each(['v2', 'v2beta1'])('refuses %s with a text, the only form that kubectl shows of it', async (version) => {
    const answer = await api.ask('/apis', { ...aggregated(version), token: 'alice-token' })
    expect(answer).toMatchObject({ status: 403, headers: { 'content-type': 'text/plain; charset=utf-8' } })
    expect(answer.text).toBe('forbidden: User "alice" cannot get path "/apis"\n')
  })

  it.each(['v2', 'v2beta1'])('returns everything at once as %s, with that content type', async (version) => {
    const answer = await api.ask('/apis', aggregated(version))
    expect(answer.headers).toMatchObject({
      'content-type': `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
      'cache-control': 'public',
      vary: 'Accept',
      etag: expect.stringMatching(/^"[0-9A-F]+"$/),
    })
    expect(answer.json).toMatchObject({
      kind: 'APIGroupDiscoveryList',
      apiVersion: `apidiscovery.k8s.io/${version}`,
      items: [
        { metadata: { name: 'authentication.k8s.io' } },
        {
          metadata: { name: 'things.example.com' },
          versions: [
            {
              version: 'v1',
              freshness: 'Current',
              resources: [
                {
                  resource: 'widgets',
                  responseKind: { group: 'things.example.com', version: 'v1', kind: 'Widget' },
                  scope: 'Cluster',
                  singularResource: 'widget',
                  subresources: [
                    { subresource: 'status', responseKind: { kind: 'Widget' }, verbs: ['get', 'patch', 'update'] },
                  ],
                },
              ],
            },
          ],
        },
      ],
    })
  })

  it('omits group and version of built-in kinds', async () => {
    const { json } = await api.ask('/api', aggregated('v2'))
    expect(json).toMatchObject({
      items: [
        {
          versions: [
            {
              resources: [
                {
                  resource: 'configmaps',
                  responseKind: { group: '', version: '', kind: 'ConfigMap' },
                  scope: 'Namespaced',
                },
                {},
                {},
              ],
            },
          ],
        },
      ],
    })
    expect((json as { items: { metadata: object }[] }).items[0]?.metadata).not.toHaveProperty('name')
  })

  it('is not sent again to a client that has it', async () => {
    const first = await api.ask('/apis', aggregated('v2'))
    const { headers } = aggregated('v2')
    const again = await api.ask('/apis', { headers: { ...headers, 'If-None-Match': first.headers.etag ?? '' } })
    expect(again).toMatchObject({ status: 304, text: '' })
  })

  it('follows added and removed kinds', async () => {
    const gadget = { ...widget, kind: 'Gadget', plural: 'gadgets', singular: 'gadget' }
    await api.registry.addLive(gadget)
    expect((await api.ask('/apis/things.example.com/v1')).text).toContain('"gadgets"')
    api.registry.remove(gadget)
    expect((await api.ask('/apis/things.example.com/v1')).text).not.toContain('"gadgets"')
  })
})
