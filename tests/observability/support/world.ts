import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Log } from '../../../src/base/log.ts'
import { quietProgress } from '../../../src/cli/output/progress.ts'
import { startUp, type UpOptions } from '../../../src/cli/up/start-up.ts'
import { clientOf } from '../../platform/platform.ts'
import { watchedLog } from '../../support/canary/watched-log.ts'

export type WorldClient = ReturnType<typeof clientOf>

/** A platform, a host and a virtual cluster that is linked and in step, all in this process. */
export interface World {
  readonly directory: string
  readonly platform: WorldClient
  readonly host: WorldClient
  /** Bypasses the platform. */
  readonly virtual: WorldClient
  readonly adminKey: string
  /** The address of the platform, and its authority. */
  readonly url: string
  readonly authority: string
  /** The path of the virtual cluster on the platform. */
  readonly inside: string
  stop(): Promise<void>
}

export async function startWorld(options: Partial<UpOptions> = {}, log: Log = watchedLog()): Promise<World> {
  const directory = mkdtempSync(join(tmpdir(), 'tenant-observed-'))
  const up = await startUp({
    directory,
    port: 0,
    domain: 'platform.internal',
    platformStore: `file:${join(directory, 'platform')}`,
    withDemo: true,
    quotas: {},
    capacity: { objects: 1_000, bytes: 10_000_000 },
    progress: quietProgress,
    ...options,
    log,
  })
  const access = JSON.parse(readFileSync(up.kubeconfig, 'utf8'))
  const [platform, host, virtual] = ['platform', 'host', 'demo'].map((name) => clientIn(access, name))
  if (platform === undefined || host === undefined || virtual === undefined) throw new Error('a server is missing')
  return {
    directory,
    platform,
    host,
    virtual,
    url: new URL(clusterIn(access, 'platform').server).origin,
    authority: authorityIn(access, 'platform'),
    adminKey: readFileSync(up.adminKeyFile, 'utf8').trim(),
    inside: '/kubernetes/project/default/virtualcluster/demo',
    stop: async () => {
      await Promise.all([platform.close(), host.close(), virtual.close()])
      await up.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

interface NamedParts {
  readonly clusters: readonly { name: string; cluster: { server: string; 'certificate-authority-data': string } }[]
  readonly users: readonly { name: string; user: { token: string } }[]
  readonly contexts: readonly { name: string; context: { cluster: string; user: string } }[]
}

function clientIn(parts: NamedParts, name: string): WorldClient {
  const context = contextIn(parts, name)
  const user = parts.users.find((each) => each.name === context?.user)?.user
  if (user === undefined) throw new Error(`no user of ${name}`)
  return clientOf(clusterIn(parts, name).server, authorityIn(parts, name), user.token)
}

function contextIn({ contexts }: NamedParts, name: string) {
  return contexts.find((each) => each.name.includes(name))?.context
}

function clusterIn(parts: NamedParts, name: string) {
  const found = parts.clusters.find((each) => each.name === contextIn(parts, name)?.cluster)?.cluster
  if (found === undefined) throw new Error(`no ${name} in ${JSON.stringify(parts.contexts)}`)
  return found
}

function authorityIn(parts: NamedParts, name: string): string {
  return Buffer.from(clusterIn(parts, name)['certificate-authority-data'], 'base64').toString()
}
