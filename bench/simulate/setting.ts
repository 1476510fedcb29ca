import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/base/clock.ts'
import { developmentLicense } from '../../src/cli/license/development-license.ts'
import { clientOf, keysPath } from '../../tests/platform/platform.ts'
import { freePort } from '../../tests/support/network/free-port.ts'
import { type Etcd, startEtcd } from '../../tests/support/stores/etcd.ts'
import type { HolderOptions } from './contract.ts'
import type { SimulationOptions } from './options.ts'
import { type Replica, type ReplicaOptions, startReplica } from './replica.ts'

export const simulatedProject = 'default'
const keyName = 'shared-by-all'

export interface Restarted {
  readonly killedAtMs: number
  readonly readyAtMs: number
  /** What the start has taken until then. */
  readonly startCpuSeconds: number
}

/** Platforms on one etcd, and the key that all tenants share. */
export interface Setting {
  readonly replicas: readonly Replica[]
  readonly authority: string
  /** The administrator's token. */
  readonly token: string
  readonly holding: HolderOptions
  readonly etcd: Etcd
  /** Kills the last replica, and restarts it in the same place. Resolves when it serves, with the time of the kill. */
  restart(): Promise<Restarted>
  /** Resolves when it is acknowledged, with the time of the request. */
  revoke(): Promise<{ readonly askedAtMs: number; readonly acknowledgedAtMs: number }>
  /** How many links a replica reports. */
  linksAt(replica: Replica): Promise<number>
  stop(): Promise<void>
}

export async function startSetting({ cli, replicas: count }: SimulationOptions, tenants: number): Promise<Setting> {
  const directory = await mkdtemp(join(tmpdir(), 'tenant-simulate-'))
  const etcd = await startEtcd({ quotaBytes: 8 * 1024 ** 3 })
  const license = await developmentLicense(directory, systemClock)
  const licenseFile = join(directory, 'license.jwt')
  await writeFile(licenseFile, license.document)
  const flags = [
    ...['--license', licenseFile, '--license-issuer', license.issuerKey],
    ...['--max-virtual-clusters-per-project', String(tenants)],
    // All of them come from one address, as behind a load balancer.
    ...['--trusted-proxies', '127.0.0.1'],
  ]
  const launches: ReplicaOptions[] = []
  const replicas: Replica[] = []
  for (let each = 0; each < count; each += 1) {
    const options = { store: `etcd:${etcd.endpoint}`, directory, port: await freePort(), flags, cli }
    launches.push(options)
    replicas.push(await startReplica(options))
  }
  const authorityFile = join(directory, 'pki/ca.crt')
  const authority = await readFile(authorityFile, 'utf8')
  const token = (await readFile(join(directory, 'admin.key'), 'utf8')).trim()
  const client = clientOf(replicas[0]?.url ?? '', authority, token)
  const scope = { roles: [{ role: 'tenant', projects: ['*'] }] }
  const body = { metadata: { name: keyName }, spec: { user: 'admin', type: 'User', scope } }
  const accessKey: string = (await client.ask('POST', keysPath, { body })).body.spec.key
  const urls = replicas.map(({ url }) => url)
  return {
    replicas,
    authority,
    token,
    etcd,
    holding: { urls, authorityFile, accessKey, project: simulatedProject },
    restart: async () => {
      const killedAtMs = systemClock.now()
      await replicas.at(-1)?.kill()
      const options = launches.at(-1)
      if (options !== undefined) replicas[replicas.length - 1] = await startReplica(options)
      return { killedAtMs, readyAtMs: systemClock.now(), startCpuSeconds: replicas.at(-1)?.cpuSeconds() ?? 0 }
    },
    revoke: async () => {
      const askedAtMs = systemClock.now()
      const type = 'application/merge-patch+json'
      const { status, text } = await client.ask('PATCH', `${keysPath}/${keyName}`, {
        body: { spec: { disabled: true } },
        type,
      })
      if (status !== 200) throw new Error(`the key was not revoked: ${text}`)
      return { askedAtMs, acknowledgedAtMs: systemClock.now() }
    },
    linksAt: async ({ url }) => {
      const asking = clientOf(url, authority, token)
      const { text } = await asking.ask('GET', '/metrics')
      await asking.close()
      return Number(/^platform_links (\d+)$/m.exec(text)?.[1] ?? Number.NaN)
    },
    stop: async () => {
      await client.close()
      await Promise.all(replicas.map((replica) => replica.stop()))
      await etcd.remove()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
