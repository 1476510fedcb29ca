import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { inside, instances, type LinkedWorld, startLinkedWorld } from './support.ts'

let world: LinkedWorld & { stop(): Promise<void> }

beforeAll(async () => {
  world = await startLinkedWorld()
})

afterAll(() => world.stop())

const configMap = (name: string, data = {}) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data })

describe('a linked virtual cluster', () => {
  it('is registered in its project, online, with its versions', async () => {
    await eventually(async () => {
      const instance = await world.platform.must('GET', `${instances()}/dev`)
      expect(instance.spec).toMatchObject({
        external: true,
        clusterRef: { namespace: 'team-a', virtualCluster: 'dev' },
      })
      expect(instance.status).toMatchObject({
        phase: 'Online',
        online: true,
        serviceUid: 'uid-of-dev',
        version: { tenant: '0.1.0', kubernetes: 'v1.32.0' },
        conditions: [
          { type: 'Proven', status: 'True', reason: 'Proven' },
          { type: 'Online', status: 'True', reason: 'Linked' },
        ],
      })
    })
  })

  it('is read and written through the platform', async () => {
    const path = '/api/v1/namespaces/default/configmaps'
    expect((await world.ask('POST', path, { body: configMap('made') })).status).toBe(201)
    const got = await world.ask('GET', `${path}/made`)
    expect(got).toMatchObject({ status: 200, body: { metadata: { name: 'made' } } })
    expect((await world.ask('GET', '/version')).body.gitVersion).toMatch(/^v1\./)
  })

  it('streams watches', async () => {
    const path = `${inside('dev')}/api/v1/namespaces/default/configmaps`
    const watch = await world.platform.watch(`${path}?watch=true`, 'admin-token')
    await world.platform.must('POST', path, configMap('watched'))
    await expect.poll(watch.text).toContain('"name":"watched"')
    watch.stop()
  })

  it('accepts bodies and returns responses of several megabytes', async () => {
    const path = '/api/v1/namespaces/default/configmaps'
    const data = { large: 'x'.repeat(1_000_000) }
    expect((await world.ask('POST', path, { body: configMap('large', data) })).status).toBe(201)
    expect((await world.ask('GET', `${path}/large`)).body.data).toEqual(data)
  })

  it('returns its own errors', async () => {
    expect(await world.ask('GET', '/api/v1/namespaces/default/configmaps/absent')).toMatchObject({
      status: 404,
      body: { reason: 'NotFound' },
    })
  })

  it.each(['/link/control', '/link/control?x', '/link/calls', '/link/calls/1'])(
    'does not expose messages between platform and tenant at %s',
    async (path) => {
      expect((await world.ask('POST', path, { body: {} })).status).toBe(404)
    },
  )
})
