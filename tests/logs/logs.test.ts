import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { printKubeconfig } from '../../src/cluster/kubeconfig.ts'
import { startTlsServer, type TlsServer } from '../cli/platform/tls-server.ts'
import { makeWorkplace, type Workplace } from '../create/workplace.ts'

/** A cluster that only serves pods and their logs, which no API server does without a kubelet. */
function cluster(pods: Readonly<Record<string, string>>) {
  return (path: string) => {
    const { pathname, searchParams } = new URL(path, 'https://cluster')
    const json = (body: object) => ({ status: 200, body: JSON.stringify(body) })
    const resource = { name: 'pods', namespaced: true, kind: 'Pod', singularName: 'pod', verbs: ['get', 'list'] }
    const items = Object.keys(pods).map((name) => ({ metadata: { namespace: 'tenant-demo', name, uid: name } }))
    const log = /^\/api\/v1\/namespaces\/tenant-demo\/pods\/([^/]+)\/log$/.exec(pathname)?.[1]
    if (pathname === '/api/v1') return json({ kind: 'APIResourceList', groupVersion: 'v1', resources: [resource] })
    if (pathname === '/api') return json({ kind: 'APIVersions', versions: ['v1'] })
    if (pathname === '/apis') return json({ kind: 'APIGroupList', apiVersion: 'v1', groups: [] })
    if (pathname.endsWith('/pods'))
      return json({ kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: '1' }, items })
    if (log === 'broken') {
      const status = {
        kind: 'Status',
        apiVersion: 'v1',
        status: 'Failure',
        code: 400,
        reason: 'BadRequest',
        message: 'the container is waiting to start',
      }
      return { status: 400, body: JSON.stringify(status) }
    }
    const lines = (pods[log ?? ''] ?? '').split('\n')
    const tail = searchParams.get('tailLines')
    return {
      status: 200,
      headers: { 'content-type': 'text/plain' },
      body: lines.slice(tail === null ? 0 : -Number(tail)).join('\n'),
    }
  }
}

describe('tenant logs', () => {
  let server: TlsServer
  let place: Workplace
  let pods: Record<string, string> = {}

  beforeAll(async () => {
    server = await startTlsServer({}, (path) => cluster(pods)(path))
  })
  afterAll(() => server.stop())
  beforeEach(() => {
    place = makeWorkplace()
  })
  afterEach(() => place.remove())

  function logs(...args: readonly string[]) {
    const context = { name: 'c', server: server.url, certificateAuthority: server.authority, token: 'my-token' }
    return place.tenant(['logs', 'demo', '--kubeconfig', place.file('kubeconfig', printKubeconfig([context])), ...args])
  }

  it('shows the log of the Pod unchanged', async () => {
    pods = { 'demo-0': 'one\ntwo\ngröße' }
    expect(await logs()).toEqual({ exitCode: 0, stdout: 'one\ntwo\ngröße\n', stderr: '' })
    expect(await logs('--tail', '1')).toMatchObject({ stdout: 'größe\n' })
  })

  it('prefixes each line with its Pod, if there are several', async () => {
    pods = { 'demo-0': 'a', 'demo-1': 'b' }
    expect((await logs()).stdout.split('\n').sort()).toEqual(['', 'demo-0: a', 'demo-1: b'])
  })

  it('reports errors', async () => {
    pods = {}
    expect(await logs()).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('there is no pod of demo in namespace tenant-demo'),
    })
    pods = { broken: '' }
    expect(await logs()).toMatchObject({ exitCode: 1, stderr: 'error: the container is waiting to start\n' })
    expect(await logs('--tail', 'x')).toMatchObject({ exitCode: 2 })
  })
})
