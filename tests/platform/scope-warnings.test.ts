import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keysPath, management, startPlatform, type TestPlatform, userNamed } from './platform.ts'

let platform: TestPlatform

beforeAll(async () => {
  platform = await startPlatform()
  await platform.must('POST', `${management}/users`, userNamed('eve'))
})

afterAll(() => platform.stop())

describe('a scope that names absent objects', () => {
  const spec = (scope: object) => ({ spec: { scope } })
  const warningsOf = async (name: string, scope: object, token?: string) => {
    const body = { metadata: { name }, ...spec(scope) }
    const made = await platform.ask('POST', keysPath, { body, ...(token && { token }) })
    expect({ status: made.status, text: made.text }).toMatchObject({ status: 201 })
    return made.warnings.join()
  }

  it('is accepted with a warning, and so is a change of it', async () => {
    await platform.must('POST', `${management}/projects`, { metadata: { name: 'shop' } })
    const named = { projects: [{ project: 'shop' }], clusters: [{ cluster: '*' }] }
    expect(await warningsOf('good', named)).not.toContain('spec.scope')
    const slips = {
      projects: [{ project: 'shop' }, { project: 'shpo' }],
      virtualClusters: [{ project: 'shop', virtualCluster: 'dve' }],
      spaces: [{ project: '*', space: 'any' }],
    }
    const told = await warningsOf('slips', slips)
    expect(told).toContain('spec.scope.projects[1]: there is no project \\"shpo\\" that you may get')
    expect(told).toContain('spec.scope.virtualClusters[0]: there is no virtual cluster \\"dve\\"')
    expect(told).not.toMatch(/projects\[0\]|spaces/)
    const change = { body: spec({ clusters: [{ cluster: 'hsot' }] }), type: 'application/merge-patch+json' }
    const changed = await platform.ask('PATCH', `${keysPath}/good`, change)
    expect(changed.warnings.join()).toContain('spec.scope.clusters[0]: there is no cluster')
  })

  it('gives a member the same response for existing and missing objects', async () => {
    await platform.must('POST', `${management}/projects`, { metadata: { name: 'hidden' } })
    const { spec: own } = await platform.must('POST', keysPath, { metadata: { name: 'of-eve' }, spec: { user: 'eve' } })
    const there = await warningsOf('asks-1', { projects: [{ project: 'hidden' }] }, own.key)
    const absent = await warningsOf('asks-2', { projects: [{ project: 'absent' }] }, own.key)
    expect(there).toContain('there is no project')
    expect(there.replaceAll('hidden', 'absent')).toBe(absent)
  })
})
