import { CustomObjectsApi, type KubernetesObject, KubernetesObjectApi, PatchStrategy } from '@kubernetes/client-node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestServer } from '../support/clusters/api-server.ts'
import { asApply, asMergePatch, asStrategicPatch, configOf, refusalOf } from './javascript-client.ts'
import { managementGroup, startPlatform } from './platform.ts'

const apiVersion = `${managementGroup}/v1`
const projects = { group: managementGroup, version: 'v1', plural: 'projects' }
const instances = { group: managementGroup, version: 'v1', plural: 'virtualclusterinstances', namespace: 'default' }

interface Project extends KubernetesObject {
  readonly spec?: { readonly displayName?: string; readonly allowedClusters?: readonly string[] }
  readonly status?: { readonly phase?: string }
}

function project(name: string, spec: Project['spec'] = {}) {
  return { apiVersion, kind: 'Project', metadata: { name }, spec }
}

let server: TestServer
beforeAll(async () => {
  server = await startPlatform()
})
afterAll(() => server.stop())

describe('management kinds through CustomObjectsApi', () => {
  let custom: CustomObjectsApi
  beforeAll(() => {
    custom = configOf(server.kubeconfig()).makeApiClient(CustomObjectsApi)
  })

  it('are created, read, replaced, listed and deleted', async () => {
    const created = await custom.createClusterCustomObject({
      ...projects,
      body: project('crud', { displayName: 'One' }),
    })
    expect(created).toMatchObject({ apiVersion, kind: 'Project', metadata: { name: 'crud', generation: 1 } })
    expect(await custom.getClusterCustomObject({ ...projects, name: 'crud' })).toEqual(created)
    const body = { ...created, spec: { displayName: 'Two' } }
    const replaced = await custom.replaceClusterCustomObject({ ...projects, name: 'crud', body })
    expect(replaced).toMatchObject({ metadata: { generation: 2 }, spec: { displayName: 'Two' } })
    const list = await custom.listClusterCustomObject({ ...projects, fieldSelector: 'metadata.name=crud' })
    expect(list).toMatchObject({ kind: 'ProjectList', items: [{ metadata: { name: 'crud' } }] })
    const deleted = await custom.deleteClusterCustomObject({ ...projects, name: 'crud' })
    expect(deleted).toMatchObject({ kind: 'Status', status: 'Success' })
    expect((await refusalOf(custom.getClusterCustomObject({ ...projects, name: 'crud' }))).code).toBe(404)
  })

  it('live in namespaces where they are namespaced', async () => {
    const body = { apiVersion, kind: 'VirtualClusterInstance', metadata: { name: 'demo' }, spec: { external: true } }
    await custom.createNamespacedCustomObject({ ...instances, body })
    const found = await custom.listCustomObjectForAllNamespaces(instances)
    expect(found.items).toMatchObject([{ metadata: { name: 'demo', namespace: 'default' }, spec: { external: true } }])
    await custom.deleteCollectionNamespacedCustomObject(instances)
    expect((await custom.listNamespacedCustomObject(instances)).items).toEqual([])
  })

  it('are patched in every way but the strategic one, which custom resources do not have', async () => {
    await custom.createClusterCustomObject({ ...projects, body: project('patched', { displayName: 'One' }) })
    const target = { ...projects, name: 'patched' }
    const json = [{ op: 'replace', path: '/spec/displayName', value: 'Two' }]
    expect(await custom.patchClusterCustomObject({ ...target, body: json })).toMatchObject({
      spec: { displayName: 'Two' },
    })
    const merge = { spec: { displayName: null, allowedClusters: ['a'] } }
    const merged = await custom.patchClusterCustomObject({ ...target, body: merge }, asMergePatch)
    expect(merged.spec).toEqual({ allowedClusters: ['a'] })
    const config = project('patched', { allowedClusters: ['b'] })
    const applied = await custom.patchClusterCustomObject({ ...target, body: config, fieldManager: 'me' }, asApply)
    expect(applied.spec).toEqual({ allowedClusters: ['a', 'b'] })
    const strategic = custom.patchClusterCustomObject({ ...target, body: merge }, asStrategicPatch)
    expect(await refusalOf(strategic)).toMatchObject({ code: 415, status: { reason: 'UnsupportedMediaType' } })
  })

  it('have a status of their own', async () => {
    const created = await custom.createClusterCustomObject({
      ...projects,
      body: { ...project('phased'), status: { phase: 'Ready' } },
    })
    expect(created.status).toBeUndefined()
    const target = { ...projects, name: 'phased' }
    const patch = { spec: { displayName: 'unheard' }, status: { phase: 'Ready' } }
    const patched = await custom.patchClusterCustomObjectStatus({ ...target, body: patch }, asMergePatch)
    expect(patched).toMatchObject({ metadata: { generation: 1 }, status: { phase: 'Ready' } })
    expect(patched.spec).toEqual({})
    const read = await custom.getClusterCustomObjectStatus(target)
    const replaced = await custom.replaceClusterCustomObjectStatus({
      ...target,
      body: { ...read, status: { phase: 'Failed' } },
    })
    expect(replaced.status).toEqual({ phase: 'Failed' })
  })

  it('refuse what their schema does not have', async () => {
    const body = { ...project('strict'), spec: { displayName: 7, bogus: true } }
    const strict = custom.createClusterCustomObject({ ...projects, body, fieldValidation: 'Strict' })
    expect(await refusalOf(strict)).toMatchObject({ code: 400, status: { reason: 'BadRequest' } })
    const typed = custom.createClusterCustomObject({ ...projects, body })
    expect(await refusalOf(typed)).toMatchObject({
      code: 422,
      status: {
        reason: 'Invalid',
        details: { causes: [{ field: 'spec.displayName', reason: 'FieldValueTypeInvalid' }] },
      },
    })
  })

  it('are not updated by a client that sends no resourceVersion', async () => {
    await custom.createClusterCustomObject({ ...projects, body: project('versioned') })
    const blind = custom.replaceClusterCustomObject({ ...projects, name: 'versioned', body: project('versioned') })
    expect(await refusalOf(blind)).toMatchObject({ code: 422, status: { reason: 'Invalid' } })
  })
})

describe('any kind through KubernetesObjectApi', () => {
  let objects: KubernetesObjectApi
  beforeAll(() => {
    objects = KubernetesObjectApi.makeApiClient(configOf(server.kubeconfig()))
  })

  it.each([
    { ...project('generic'), change: { spec: { displayName: 'changed' } } },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'generic', namespace: 'default' },
      change: { data: { changed: 'yes' } },
    },
  ])('$kind: create, read, patch, replace, list and delete', async ({ change, ...spec }) => {
    const header = { apiVersion: spec.apiVersion, kind: spec.kind, metadata: spec.metadata }
    const created = await objects.create(spec)
    expect(await objects.read(header)).toEqual(created)
    const patch = { ...header, ...change }
    const patched = await objects.patch(patch, undefined, undefined, 'test', undefined, PatchStrategy.MergePatch)
    expect(patched).toMatchObject(change)
    const replaced = await objects.replace({ ...patched, metadata: { ...patched.metadata, labels: { a: 'b' } } })
    expect(replaced).toMatchObject({ metadata: { labels: { a: 'b' } }, ...change })
    const list = await objects.list(
      spec.apiVersion,
      spec.kind,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      'a=b',
    )
    expect(list.items).toHaveLength(1)
    const applied = await objects.patch(patch, undefined, undefined, 'applier', true, PatchStrategy.ServerSideApply)
    expect(applied.metadata).toMatchObject({
      managedFields: expect.arrayContaining([expect.objectContaining({ manager: 'applier' })]),
    })
    expect(await objects.delete(header)).toMatchObject({ status: 'Success' })
    expect(await refusalOf(objects.read(header))).toMatchObject({ code: 404 })
  })

  it('an access key keeps the sent fields', async () => {
    const spec = { displayName: 'for the pipeline', ttl: 3_600, scope: { projects: [{ project: 'default' }] } }
    const key = { apiVersion, kind: 'OwnedAccessKey', metadata: { name: 'pipeline' }, spec }
    expect(await objects.create(key)).toMatchObject({ kind: 'OwnedAccessKey', spec })
  })
})
