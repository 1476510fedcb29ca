import { afterAll, beforeAll, expect, test } from 'vitest'
import { group, management, startPlatform, type TestPlatform } from '../../platform/platform.ts'

let platform: TestPlatform

beforeAll(async () => {
  platform = await startPlatform()
  const cluster = { apiVersion: `${group}/v1`, kind: 'Cluster', metadata: { name: 'host' } }
  await platform.must('POST', `${management}/clusters`, cluster)
})

afterAll(() => platform?.stop())

const instances = `${management}/namespaces/p-default/virtualclusterinstances`

function make(name: string, place: string, query = '') {
  const clusterRef = { cluster: 'host', namespace: place, virtualCluster: 'dev' }
  const body = { apiVersion: `${group}/v1`, kind: 'VirtualClusterInstance', metadata: { name }, spec: { clusterRef } }
  return platform.ask('POST', `${instances}${query}`, { body })
}

test('of virtual clusters created in one place at the same time, one gets it', async () => {
  const answers = await Promise.all(['a', 'b', 'c'].map((name) => make(name, 'one')))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  const refused = answers.find(({ status }) => status === 409)
  expect(refused?.body.message).toContain('is in namespace one of cluster host under the name dev already')
  expect((await make('d', 'one')).status).toBe(409)
})

test('a refused request, or a dry run, reserves no place', async () => {
  expect((await make('tried', 'two', '?dryRun=All')).status).toBe(201)
  expect((await make('A wrong name', 'two')).status).toBe(422)
  const { metadata } = (await make('first', 'two')).body
  expect((await make('second', 'two')).status).toBe(409)
  const body = { spec: { displayName: 'changed' } }
  const type = 'application/merge-patch+json'
  expect((await platform.ask('PATCH', `${instances}/${metadata.name}`, { body, type })).status).toBe(200)
  await platform.must('DELETE', `${instances}/${metadata.name}`)
  expect((await make('second', 'two')).status).toBe(201)
})

test('a caller who may update but not delete a virtual cluster cannot move it out of its place', async () => {
  for (const name of ['editor', 'remover']) await platform.must('POST', `${management}/users`, { metadata: { name } })
  await platform.must('POST', `${management}/clusters`, {
    apiVersion: `${group}/v1`,
    kind: 'Cluster',
    metadata: { name: 'own' },
    spec: { access: [{ users: ['editor', 'remover'], verbs: ['get', 'administer'] }] },
  })
  const clusterRef = { cluster: 'host', namespace: 'three', virtualCluster: 'dev' }
  const access = [
    { users: ['editor', 'remover'], verbs: ['get', 'update', 'patch'] },
    { users: ['remover'], verbs: ['delete'] },
  ]
  await platform.must('POST', instances, {
    apiVersion: `${group}/v1`,
    kind: 'VirtualClusterInstance',
    metadata: { name: 'placed' },
    spec: { clusterRef, access },
  })
  const change = async (user: string, spec: object) => {
    const type = 'application/merge-patch+json'
    const token = await platform.keyOf(user)
    return (await platform.ask('PATCH', `${instances}/placed`, { token, body: { spec }, type })).status
  }
  expect(await change('editor', { displayName: 'changed' })).toBe(200)
  expect(await change('editor', { clusterRef: null })).toBe(403)
  expect(await change('editor', { clusterRef: { cluster: '' } })).toBe(403)
  expect(await change('editor', { clusterRef: { cluster: 'own' } })).toBe(403)
  expect(await change('remover', { clusterRef: { cluster: 'own' } })).toBe(200)
  expect(await change('remover', { clusterRef: null })).toBe(200)
})
