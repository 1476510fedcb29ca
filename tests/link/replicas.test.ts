import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { developmentLicense } from '../../src/cli/license/development-license.ts'
import { clientOf, keysPath } from '../platform/platform.ts'
import { type EchoApi, startEchoApi } from '../proxy/echo-api.ts'
import { type ServerProcess, startServerProcess } from '../reliability/support/server-process.ts'
import { tlsClient } from '../server/raw-client.ts'
import { startTestServer, type TestServer } from '../support/clusters/api-server.ts'
import { eventually } from '../support/eventually.ts'
import { type Etcd, missingEtcd, startEtcd } from '../support/stores/etcd.ts'
import { embedded, inside, instances, link, type TestLink, tenantScope } from './support.ts'

const withoutEtcd = missingEtcd()
const path = '/api/v1/namespaces/default/configmaps'

/** Plays the load balancer of the replicas: each connection goes to one that accepts it. */
async function startBalancer(
  ports: () => readonly number[],
): Promise<{ readonly port: number; readonly server: Server }> {
  const server = createServer((client: Socket) => dial(client, [...ports()]))
  const dial = (client: Socket, left: number[]) => {
    const port = left.shift()
    if (port === undefined) {
      client.destroy()
      return
    }
    const target = connect(port, '127.0.0.1')
    target.once('error', () => dial(client, left))
    target.once('connect', () => {
      target.removeAllListeners('error')
      for (const [one, other] of [
        [client, target],
        [target, client],
      ] as const) {
        one.on('error', () => other.destroy()).on('close', () => other.destroy())
        one.pipe(other)
      }
    })
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return { server, port: typeof address === 'object' && address !== null ? address.port : 0 }
}

describe.skipIf(withoutEtcd)(
  `two platforms on one etcd${withoutEtcd === undefined ? '' : ` (skipped: ${withoutEtcd})`}`,
  () => {
    let etcd: Etcd
    let directory: string
    let virtual: TestServer
    let echo: EchoApi
    let balancer: Awaited<ReturnType<typeof startBalancer>>
    let preferred: readonly number[] = []
    const servers: ServerProcess[] = []
    const clients: ReturnType<typeof clientOf>[] = []
    const links: TestLink[] = []
    let accessKey = ''
    let flags: readonly string[] = []

    const start = async (port?: number) => {
      const options = { store: `etcd:${etcd.endpoint}`, directory, flags, ...(port === undefined ? {} : { port }) }
      const server = await startServerProcess(options)
      servers.push(server)
      clients.push(clientOf(server.url, server.authority, server.token))
      return server
    }
    const client = (index: number) => {
      const found = clients[index]
      if (found === undefined) throw new Error('it was started')
      return found
    }
    const linkTo = (name: string, virtualApi = embedded(virtual)) => {
      const url = `https://127.0.0.1:${balancer.port}`
      const [server] = servers
      const started = link({ name, accessKey, url, authority: server?.authority ?? '', virtualApi })
      links.push(started)
      return started
    }

    beforeAll(async () => {
      ;[etcd, virtual, echo] = await Promise.all([startEtcd(), startTestServer(), startEchoApi()])
      directory = await mkdtemp(join(tmpdir(), 'tenant-replicas-'))
      const license = await developmentLicense(directory, systemClock)
      await writeFile(join(directory, 'license.jwt'), license.document)
      flags = ['--license', join(directory, 'license.jwt'), '--license-issuer', license.issuerKey]
      balancer = await startBalancer(() => preferred)
      const first = await start()
      const second = await start()
      preferred = [first.port, second.port]
      const spec = { user: 'admin', scope: tenantScope }
      accessKey = (await client(0).ask('POST', keysPath, { body: { metadata: { name: 'tenants' }, spec } })).body.spec
        .key
      await linkTo('moving').linked()
      await linkTo('echo', echo.virtualApi).linked()
    }, 240_000)

    afterAll(async () => {
      for (const each of links) await each.stop()
      for (const each of clients) await each.close()
      for (const each of servers) await each.kill()
      balancer?.server.close()
      await Promise.all([virtual?.stop(), echo?.stop(), etcd?.remove()])
      await rm(directory, { recursive: true, force: true })
    })

    const works = async (index: number) => {
      expect((await client(index).ask('GET', `${inside('moving')}${path}`)).status).toBe(200)
    }

    it('both reach a virtual cluster linked to one of them, including watches and upgraded connections', async () => {
      await eventually(() => works(0))
      await eventually(() => works(1))
      const watch = await client(1).watch(`${inside('moving')}${path}?watch=true`, servers[1]?.token ?? '')
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'relayed' } }
      expect((await client(1).ask('POST', `${inside('moving')}${path}`, { body })).status).toBe(201)
      await expect.poll(watch.text).toContain('relayed')
      watch.stop()
      const exec = await tlsClient(servers[1]?.port ?? 0)
      exec.send(
        `POST ${inside('echo')}/api/v1/namespaces/a/pods/b/exec HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${servers[1]?.token}\r\n` +
          'Connection: Upgrade\r\nUpgrade: SPDY/3.1\r\nContent-Length: 0\r\n\r\n',
      )
      await exec.until('hello')
      exec.send('bytes')
      await exec.until('bbytes')
      exec.destroy()
      await eventually(() => expect(echo.openConnections()).toBe(0))
    })

    it('links of a killed replica move to the other, and the proxy works through both after it returns', async () => {
      const [first] = servers
      const before = (await client(1).ask('GET', `${instances()}/moving`)).body.status.link.replica
      await first?.kill()
      await eventually(() => works(1))
      await eventually(async () => {
        const { status } = (await client(1).ask('GET', `${instances()}/moving`)).body
        expect(status).toMatchObject({ online: true })
        expect(status.link.replica).not.toBe(before)
      }, 240_000)
      await start(first?.port)
      await eventually(async () => {
        expect((await client(2).ask('GET', `${inside('moving')}/version`)).status).toBe(200)
      }, 240_000)
    })

    it('a tenant that dies with its replica is offline within the lease, as the other replica reports', async () => {
      preferred = [...preferred].reverse()
      const lost = linkTo('lost')
      await lost.linked()
      await eventually(async () =>
        expect((await client(1).ask('GET', `${instances()}/lost`)).body.status?.online).toBe(true),
      )
      preferred = []
      for (const each of links) await each.stop()
      await servers[1]?.kill()
      await eventually(async () => {
        expect((await client(2).ask('GET', `${instances()}/lost`)).body.status).toMatchObject({ online: false })
      }, 240_000)
    })

    it('links return on their own after all replicas were down', async () => {
      const [, , third] = servers
      preferred = [third?.port ?? 0]
      const patient = linkTo('patient')
      await patient.linked()
      await third?.stop()
      await eventually(() => expect(patient.state.state).toBe('waiting'))
      const again = await start(third?.port)
      await eventually(async () => {
        const { status } = await clientOf(again.url, again.authority, again.token).ask(
          'GET',
          `${inside('patient')}/version`,
        )
        expect(status).toBe(200)
      }, 240_000)
    })

    it('a link moves before a replica stops gracefully, and no request fails', async () => {
      const [leaving, staying] = [await start(), await start()]
      preferred = [leaving.port]
      const moving = linkTo('in-good-order')
      await moving.linked()
      const asked = clientOf(staying.url, staying.authority, staying.token)
      clients.push(asked)
      const ask = async () => (await asked.ask('GET', `${inside('in-good-order')}/version`)).status
      await eventually(async () => expect(await ask()).toBe(200))
      preferred = [staying.port]
      let isGone = false
      const stopped = leaving.stop().then(() => {
        isGone = true
      })
      const statuses: number[] = []
      while (!isGone) statuses.push(await ask())
      await stopped
      for (let more = 0; more < 20; more += 1) statuses.push(await ask())
      expect(new Set(statuses)).toEqual(new Set([200]))
      expect(moving.states.some(({ state }) => state === 'waiting')).toBe(false)
    })
  },
)
