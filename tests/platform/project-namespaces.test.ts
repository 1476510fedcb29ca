import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { group, management, startPlatform, type TestPlatform } from './platform.ts'

let platform: TestPlatform

beforeAll(async () => {
  platform = await startPlatform()
})
afterAll(() => platform.stop())

const projectNamed = (name: string) => ({ apiVersion: `${group}/v1`, kind: 'Project', metadata: { name } })
const namespacePath = (project: string) => `/api/v1/namespaces/p-${project}`
const create = (name: string) => platform.must('POST', `${management}/projects`, projectNamed(name))
const remove = (name: string) => platform.must('DELETE', `${management}/projects/${name}`)
const statusOf = async (path: string) => (await platform.ask('GET', path)).status

const becomes = (project: string, status: number) =>
  eventually(async () => expect(await statusOf(namespacePath(project))).toBe(status))

/** Waits until the platform has handled all earlier changes: it handles them in order. */
async function hasLookedAround(): Promise<void> {
  await create('marker')
  await becomes('marker', 200)
  await remove('marker')
  await becomes('marker', 404)
}

const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'notes' } }

describe('the namespace of a project', () => {
  it('is created, deleted and created again with it', async () => {
    await create('shop')
    await becomes('shop', 200)
    await remove('shop')
    await becomes('shop', 404)
    await create('shop')
    await becomes('shop', 200)
  })

  it('stays while it contains objects', async () => {
    await create('busy')
    await becomes('busy', 200)
    await platform.must('POST', `${namespacePath('busy')}/configmaps`, configMap)
    await remove('busy')
    await hasLookedAround()
    expect(await statusOf(`${namespacePath('busy')}/configmaps/notes`)).toBe(200)
    await platform.must('DELETE', `${namespacePath('busy')}/configmaps/notes`)
    await becomes('busy', 404)
  })

  it('stays if the platform did not create it', async () => {
    await platform.must('POST', '/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'p-own' },
    })
    await create('own')
    await remove('own')
    await hasLookedAround()
    expect(await statusOf(namespacePath('own'))).toBe(200)
  })
})
