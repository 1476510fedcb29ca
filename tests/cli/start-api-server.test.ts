import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request } from 'undici'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ApiServerOptions, RunningApiServer } from '../../src/cluster/api-server/public-types.d.ts'
import { startApiServer } from '../../src/cluster/api-server/testing.ts'
import { eventually } from '../support/eventually.ts'
import { patientAgent } from '../support/network/patient-agent.ts'

async function start(options?: ApiServerOptions): Promise<RunningApiServer> {
  const server = await startApiServer(options)
  onTestFinished(() => server.stop())
  return server
}

async function ask(server: RunningApiServer, method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) {
  const dispatcher = patientAgent({ ca: server.certificateAuthority })
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' }
  const answer = await request(`${server.url}${path}`, {
    method,
    dispatcher,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.body.text()
  await dispatcher.close()
  return { status: answer.statusCode, body: JSON.parse(text) }
}

const namespace = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec: { ports: [{ port: 80 }] } }

describe('startApiServer', () => {
  it('creates a cluster whose namespaces get a ServiceAccount and can be deleted', async () => {
    const server = await start()
    await ask(server, 'POST', '/api/v1/namespaces', namespace('team'))
    await eventually(async () => {
      expect((await ask(server, 'GET', '/api/v1/namespaces/team/serviceaccounts/default')).status).toBe(200)
    })
    await ask(server, 'DELETE', '/api/v1/namespaces/team')
    await eventually(async () => expect((await ask(server, 'GET', '/api/v1/namespaces/team')).status).toBe(404))
  })

  it('without controllers serves the bare API, which still releases cluster IPs', async () => {
    const server = await start({ controllers: 'none', serviceClusterIpRange: '10.9.0.0/28' })
    await ask(server, 'POST', '/api/v1/namespaces', namespace('team'))
    // A block of 16 has 13 usable addresses; they are all used, released and used again.
    const services = '/api/v1/namespaces/team/services'
    const create = (index: number) => ask(server, 'POST', services, { ...service, metadata: { name: `web-${index}` } })
    for (let index = 0; index < 13; index++) expect((await create(index)).status).toBe(201)
    expect((await create(13)).status).toBe(500)
    await ask(server, 'DELETE', `${services}/web-0`)
    await eventually(async () => expect((await create(14)).status).toBe(201))
    expect((await ask(server, 'GET', '/api/v1/namespaces/team/serviceaccounts')).body.items).toEqual([])
    await ask(server, 'DELETE', '/api/v1/namespaces/team')
    expect((await ask(server, 'GET', '/api/v1/namespaces/team')).body.status.phase).toBe('Terminating')
  })

  it('removes the directory that it created, and keeps a given one', async () => {
    const own = await startApiServer()
    expect(existsSync(own.kubeconfig)).toBe(true)
    await Promise.all([own.stop(), own.stop()])
    await own.stop()
    expect(existsSync(own.dataDir)).toBe(false)
    const dataDir = mkdtempSync(join(tmpdir(), 'tenant-start-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true }))
    const first = await startApiServer({ dataDir })
    await ask(first, 'POST', '/api/v1/namespaces', namespace('kept'))
    await first.stop()
    const second = await start({ dataDir })
    expect((await ask(second, 'GET', '/api/v1/namespaces/kept')).status).toBe(200)
    expect(second.token).toBe(first.token)
  })

  it('updates the roles of an older store, except those that an administrator took over', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'tenant-start-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true }))
    const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles'
    const first = await startApiServer({ dataDir })
    const extra = { apiGroups: ['example.com'], resources: ['widgets'], verbs: ['get'] }
    const read = async (server: RunningApiServer, name: string) => (await ask(server, 'GET', `${roles}/${name}`)).body
    const older = await read(first, 'system:aggregate-to-edit')
    await ask(first, 'PUT', `${roles}/system:aggregate-to-edit`, { ...older, rules: [older.rules[0], extra] })
    const taken = await read(first, 'system:aggregate-to-view')
    taken.metadata.annotations['rbac.authorization.kubernetes.io/autoupdate'] = 'false'
    await ask(first, 'PUT', `${roles}/system:aggregate-to-view`, { ...taken, rules: [extra] })
    await first.stop()
    const second = await start({ dataDir })
    expect((await read(second, 'system:aggregate-to-edit')).rules).toEqual([
      older.rules[0],
      extra,
      ...older.rules.slice(1),
    ])
    expect((await read(second, 'system:aggregate-to-view')).rules).toEqual([extra])
    await eventually(async () =>
      expect((await read(second, 'edit')).rules).toEqual(expect.arrayContaining(older.rules)),
    )
  })

  it.each<[unknown, string]>([
    [{ port: 70_000 }, 'port: 70000 is not a whole number from 0 to 65535'],
    [{ port: 'x' }, 'port: x is not a whole number'],
    [{ controllers: 'some' }, 'controllers: "some" is neither "all" nor "none"'],
    [{ users: [{ token: 'secret-token', user: '' }] }, 'users[0]: token and user must be given'],
    [{ serviceClusterIpRange: '10.0.0.0' }, 'is not an IPv4 block'],
  ])('refuses %j', async (options, message) => {
    await expect(startApiServer(options as ApiServerOptions)).rejects.toThrow(message)
  })
})
