import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { managementGroup } from '../../api/management/management-kind.ts'
import { ProcessTokens } from '../../auth/process-tokens.ts'
import { systemClock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { systemRandom } from '../../base/random.ts'
import { adminUser, type KeptSecret } from '../../cluster/identity.ts'
import { elsewhereText } from '../../cluster/server-identity.ts'
import type { RunningServer } from '../../cluster/start-server.ts'
import { startUpServers, type UpServers } from '../../cluster/up-servers.ts'
import type { SimulatedTimes } from '../../controllers/simulated-node/settings.ts'
import type { QuotaSettings } from '../../platform/quotas/quota-settings.ts'
import type { Amount } from '../../registry/quota/ledger.ts'
import type { AuditOnFailure } from '../arguments/audit-on-failure.ts'
import { type DevelopmentLicense, developmentLicense } from '../license/development-license.ts'
import type { Progress } from '../output/progress.ts'
import { accessFromKubeconfig, administratorKubeconfig, clientOf } from './clients.ts'
import { startDemo } from './demo.ts'
import { writeUpFiles } from './files.ts'
import { ensurePlatformSetup, virtualClusterInstances } from './first-objects.ts'
import type { LocalInstance } from './local-instance.ts'
import { LocalStarter } from './local-starter.ts'
import { LocalTenants } from './local-tenants.ts'
import { ownSession } from './session.ts'

export interface UpOptions {
  readonly directory: string
  readonly port: number
  /** 127.0.0.1 when absent. */
  readonly host?: string
  readonly domain: string
  readonly platformStore: string
  /** `refuse` when absent. */
  readonly auditOnFailure?: AuditOnFailure
  readonly withDemo: boolean
  readonly quotas: Partial<QuotaSettings>
  readonly sessionsPerOwner?: number
  /** Of Pods on the embedded host. Absent: the usual ones. */
  readonly simulatedTimes?: SimulatedTimes
  /** Of every virtual cluster. */
  readonly capacity: Amount
  readonly log: Log
  readonly progress: Progress
}

export interface RunningUp {
  readonly platformUrl: string
  readonly hostUrl: string
  readonly kubeconfig: string
  readonly adminKeyFile: string
  /** The authority that the platform's certificate is of. */
  readonly caFile: string
  readonly tenants: readonly Pick<LocalInstance, 'project' | 'name' | 'namespace'>[]
  /** Only at the first start. */
  readonly newAdminKey: string | undefined
  stop(): Promise<void>
}

/** The platform, an embedded host cluster and the virtual clusters on it, all in this process. */
export async function startUp(options: UpOptions): Promise<RunningUp> {
  mkdirSync(options.directory, { recursive: true, mode: 0o700 })
  const stops: Stops = []
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) await end()
  }
  try {
    return { ...(await startParts(options, stops)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

type Stops = (() => void | Promise<void>)[]

async function startParts(options: UpOptions, stops: Stops): Promise<Omit<RunningUp, 'stop'>> {
  const { directory, domain, progress } = options
  progress.step('Starting the platform and the host')
  const license = await developmentLicense(directory, systemClock)
  const ownTokens = new ProcessTokens(systemRandom)
  const { platform, host, stop } = await startUpServers({ ...options, ownTokens, license })
  stops.push(stop)
  const admin = keptAdminKey(platform)
  progress.step('Starting the virtual clusters')
  const tenants = await startTenants(options, { platform, host, adminKey: admin.value, ownTokens, license }, stops)
  const write = () => writeUpFiles({ directory, domain, admin, platform, host }, tenants.running())
  tenants.onChange(write)
  return {
    platformUrl: platform.url,
    hostUrl: host.url,
    kubeconfig: write(),
    adminKeyFile: admin.file,
    caFile: platform.certificateAuthorityFile,
    tenants: tenants.running(),
    newAdminKey: admin.isNew ? admin.value : undefined,
  }
}

/** This platform sets itself up by its own API, so it has to know the key. */
function keptAdminKey({ admin }: UpServers['platform']): KeptSecret {
  if (admin.form === 'kept') return admin.kept
  throw new Error(elsewhereText(admin.record))
}

interface TenantParts extends Pick<UpServers, 'platform' | 'host'> {
  readonly adminKey: string
  readonly ownTokens: ProcessTokens
  readonly license: DevelopmentLicense
}

/** The virtual clusters that the platform wants to run here; and on the platform what they need. */
async function startTenants(
  { directory, domain, withDemo, capacity, log }: UpOptions,
  { platform, host, adminKey, ownTokens, license }: TenantParts,
  stops: Stops,
): Promise<LocalTenants> {
  const hostKubeconfig = administratorKubeconfig('host', host, adminKey)
  const ownAccess = (server: RunningServer, user: string) => {
    const token = ownTokens.issue({ name: `system:tenant-up:${user}`, groups: adminUser.groups })
    return accessFromKubeconfig('own', administratorKubeconfig('own', server, token))
  }
  const hostClient = clientOf(await ownAccess(host, 'host'), log)
  const platformClient = clientOf(await ownAccess(platform, 'platform'), log)
  stops.push(
    () => platformClient.close(),
    () => hostClient.close(),
  )
  const apiVersion = `${managementGroup(domain)}/v1`
  await ensurePlatformSetup(platformClient, apiVersion, hostKubeconfig)
  const session = ownSession({ ...platform, domain, adminKey })
  const tenants = new LocalTenants({
    platform: platformClient,
    instances: virtualClusterInstances(domain),
    starter: new LocalStarter({
      host: hostClient,
      hostAccess: ({ namespace, tenant }) => ownAccess(host, `${namespace}:${tenant}`),
      session,
      issuerKey: license.issuerKey,
      capacity,
      log,
    }),
    directory: join(directory, 'tenants'),
    log,
  })
  stops.push(() => tenants.stop())
  if (withDemo) await startDemo({ directory, platform: platformClient, apiVersion, tenants, log })
  return tenants
}
