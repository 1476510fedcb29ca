import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printKubeconfig } from '../../src/cluster/kubeconfig.ts'
import { tenantScope } from '../link/support.ts'
import { clientOf, keysPath } from '../platform/platform.ts'
import { type ServerProcess, startServerProcess } from '../reliability/support/server-process.ts'
import { licenseFlags } from '../support/license.ts'
import { freePort } from '../support/network/free-port.ts'
import { builtCli } from '../support/programs/built-cli.ts'
import { type Program, startProgram } from '../support/programs/program.ts'
import { type Etcd, startEtcd } from '../support/stores/etcd.ts'
import { type Cluster, startCluster } from '../sync/support/clusters.ts'

export const virtualName = 'trio'
const patienceMs = 240_000

/** One of several processes that serve the same virtual cluster. */
export interface TenantReplica {
  readonly processName: string
  readonly url: string
  launch(): void
  /** Resolves when it serves. */
  start(): Promise<void>
  readonly program: Program
  /** A file of its data directory. */
  file(path: string): string
  /** Sends requests as the administrator, with the credentials in its own data directory. */
  ask: ReturnType<typeof clientOf>['ask']
}

export interface ReplicaStage {
  readonly etcd: Etcd
  readonly host: Cluster
  readonly hostNamespace: string
  readonly platforms: readonly ReturnType<typeof clientOf>[]
  readonly replicas: readonly TenantReplica[]
  remove(): Promise<void>
}

/**
 * A virtual cluster of three processes on one etcd, of which the first is linked to one platform and the others to
 * another.
 */
export async function openReplicaStage(): Promise<ReplicaStage> {
  const folder = await mkdtemp(join(tmpdir(), 'tenant-trio-'))
  const [etcd, host] = await Promise.all([startEtcd(), startCluster('embedded')])
  const hostNamespace = 'trio-host'
  await host.client.ensureNamespace(hostNamespace)
  const flags = licenseFlags(folder)
  const servers: ServerProcess[] = []
  for (let index = 0; index < 2; index++) {
    servers.push(
      await startServerProcess({
        store: `etcd:${etcd.endpoint}?prefix=/platform`,
        directory: join(folder, 'platform'),
        flags,
      }),
    )
  }
  const platforms = servers.map(({ url, authority, token }) => clientOf(url, authority, token))
  const spec = { user: 'admin', scope: tenantScope }
  const made = await platforms[0]?.ask('POST', keysPath, { body: { metadata: { name: 'tenants' }, spec } })
  writeFileSync(
    join(folder, 'host'),
    printKubeconfig([
      {
        name: 'host',
        server: host.server.url,
        certificateAuthority: host.server.authority,
        token: host.server.token,
      },
    ]),
    { mode: 0o600 },
  )
  const config = {
    controlPlane: { replicas: 3, storage: { etcd: { addresses: etcd.endpoint } } },
    sync: { toHost: { configMaps: { all: true } } },
  }
  writeFileSync(join(folder, 'tenant.yaml'), JSON.stringify(config))
  const replicas = await Promise.all(
    [0, 1, 2].map(async (index) => {
      const { url: platformUrl = '', authority = '' } = servers[Math.min(index, 1)] ?? {}
      const license = {
        host: platformUrl,
        accessKey: made?.body.spec.key,
        certificateAuthorityData: Buffer.from(authority).toString('base64'),
      }
      return replicaOf({
        folder,
        processName: `${virtualName}-${index}`,
        port: await freePort(),
        store: `etcd:${etcd.endpoint}?prefix=/${virtualName}`,
        hostNamespace,
        flags,
        license: JSON.stringify(license),
      })
    }),
  )
  return {
    etcd,
    host,
    hostNamespace,
    platforms,
    replicas,
    remove: async () => {
      await Promise.all(replicas.map(({ end }) => end()))
      for (const each of platforms) await each.close()
      for (const each of servers) await each.kill()
      await host.remove()
      await etcd.remove()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

interface ReplicaSettings {
  readonly folder: string
  readonly processName: string
  readonly port: number
  readonly store: string
  readonly hostNamespace: string
  readonly flags: readonly string[]
  readonly license: string
}

function replicaOf(settings: ReplicaSettings): TenantReplica & { end(): Promise<void> } {
  const { folder, processName, port } = settings
  const url = `https://127.0.0.1:${port}`
  const file = (path: string) => join(folder, processName, path)
  const args = [builtCli(), 'run', '--name', virtualName, '-n', settings.hostNamespace]
  args.push('-f', join(folder, 'tenant.yaml'), '--host-kubeconfig', join(folder, 'host'), '--data-dir', file(''))
  // Much longer than anything takes: a test ends it once it has seen what happens meanwhile.
  args.push('--store', settings.store, '--port', String(port), '--shutdown-delay', '10m', ...settings.flags)
  const environment = { ...process.env, POD_NAME: processName, LICENSE: settings.license }
  let program: Program | undefined
  let client: ReturnType<typeof clientOf> | undefined
  const launch = () => {
    program = startProgram({ program: process.execPath, args, environment })
  }
  const running = () => {
    if (program === undefined) throw new Error('it was launched')
    return program
  }
  return {
    processName,
    url,
    launch,
    file,
    async start() {
      launch()
      await running().until('serving', () => /^virtual https/m.test(running().output()), patienceMs)
    },
    get program() {
      return running()
    },
    ask: (method, path, asked) => {
      const read = (path: string) => readFileSync(file(path), 'utf8')
      client ??= clientOf(url, read('pki/ca.crt'), read('admin.key').trim())
      return client.ask(method, path, asked)
    },
    end: async () => {
      await client?.close()
      await program?.kill()
    },
  }
}
