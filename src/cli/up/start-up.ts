import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { coreKinds } from '../../api/core/kinds.ts'
import { managementKinds } from '../../api/management/kinds.ts'
import type { Log } from '../../base/log.ts'
import { systemRandom } from '../../base/random.ts'
import { adminToken, serviceAccountKeys } from '../engine/identity.ts'
import { printKubeconfig } from '../engine/kubeconfig.ts'
import { type RunningServer, startServer } from '../engine/start-server.ts'

export interface UpOptions {
  readonly directory: string
  readonly port: number
  readonly domain: string
  readonly platformStore: string
  readonly log: Log
}

export interface RunningUp {
  readonly platformUrl: string
  readonly hostUrl: string
  readonly kubeconfig: string
  readonly adminKeyFile: string
  /** Only at the first start. */
  readonly newAdminKey: string | undefined
  stop(): Promise<void>
}

/** The platform and an embedded host cluster in this process. */
export async function startUp(options: UpOptions): Promise<RunningUp> {
  const { directory, log } = options
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const [admin, platformKeys, hostKeys] = await Promise.all([
    adminToken(directory, systemRandom),
    serviceAccountKeys(join(directory, 'pki', 'platform')),
    serviceAccountKeys(join(directory, 'pki', 'host')),
  ])
  const shared = { directory, adminToken: admin.value }
  const platform = await startServer({
    ...shared,
    name: 'platform',
    serviceAccountKeys: platformKeys,
    store: options.platformStore,
    kinds: [...coreKinds(), ...managementKinds(options.domain)],
    port: options.port,
    log: log.child({ server: 'platform' }),
    platform: { domain: options.domain, audit: { file: join(directory, 'audit.log') } },
  })
  const host = await startServer({
    ...shared,
    name: 'host',
    serviceAccountKeys: hostKeys,
    store: `file:${join(directory, 'host')}`,
    kinds: coreKinds(),
    port: 0,
    log: log.child({ server: 'host' }),
  }).catch(async (error: unknown) => {
    await platform.stop()
    throw error
  })
  const kubeconfig = writeFiles(options, admin, platform, host)
  return {
    platformUrl: platform.url,
    hostUrl: host.url,
    kubeconfig,
    adminKeyFile: admin.file,
    newAdminKey: admin.isNew ? admin.value : undefined,
    stop: async () => {
      await Promise.all([platform.stop(), host.stop()])
    },
  }
}

/** The interface for people and scripts: `kubeconfig` and `up.json`. */
function writeFiles(
  options: UpOptions,
  admin: { readonly value: string; readonly file: string },
  platform: RunningServer,
  host: RunningServer,
): string {
  const kubeconfig = join(options.directory, 'kubeconfig')
  const contexts = [
    { name: 'platform', server: platform.url, certificateAuthority: platform.certificateAuthority, token: admin.value },
    { name: 'host', server: host.url, certificateAuthority: host.certificateAuthority, token: admin.value },
  ]
  writeFileSync(kubeconfig, printKubeconfig(contexts), { mode: 0o600 })
  const description = {
    pid: process.pid,
    platform: {
      url: platform.url,
      caFile: platform.certificateAuthorityFile,
      domain: options.domain,
      adminKeyFile: admin.file,
    },
    kubeconfig,
    contexts: { platform: 'platform', host: 'host', tenants: {} },
    consoleUrl: `${platform.url}/`,
  }
  writeFileSync(join(options.directory, 'up.json'), `${JSON.stringify(description, null, 2)}\n`)
  return kubeconfig
}
