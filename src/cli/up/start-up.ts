import { join } from 'node:path'
import { managementGroup } from '../../api/management/management-kind.ts'
import { ProcessTokens } from '../../auth/process-tokens.ts'
import { systemClock } from '../../base/clock.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import type { Log } from '../../base/log.ts'
import { systemRandom } from '../../base/random.ts'
import type { ClusterAccess } from '../../client/kubeconfig/contract.ts'
import { adminUser, type KeptSecret } from '../../cluster/identity/kept-secret.ts'
import { elsewhereText } from '../../cluster/identity/server-identity.ts'
import { startUpServers, type UpServers } from '../../cluster/up-servers.ts'
import type { SimulatedTimes } from '../../controllers/simulated-node/settings.ts'
import type { QuotaSettings } from '../../platform/quotas/quota-settings.ts'
import type { Amount } from '../../registry/quota/ledger.ts'
import type { ProxySettings } from '../../server/proxies/trusted-proxies.ts'
import type { RequestTracing } from '../../server/tracing/trace-exchange.ts'
import type { AuditOnFailure } from '../arguments/audit-on-failure.ts'
import { given } from '../arguments/given.ts'
import { type DevelopmentLicense, developmentLicense } from '../license/development-license.ts'
import type { Progress } from '../output/progress.ts'
import { clientOf } from './clients.ts'
import { writeUpFiles } from './files.ts'
import { embeddedHost, ownAccess } from './host/embedded-host.ts'
import { ensurePlatformSetup, virtualClusterInstances } from './host/first-objects.ts'
import { embeddedHostId, requireSameHost } from './host/host-mark.ts'
import { type RealHost, realHost, type UpHost } from './host/up-host.ts'
import { startDemo } from './local/demo.ts'
import type { LocalInstance } from './local/local-instance.ts'
import { LocalStarter } from './local/local-starter.ts'
import { LocalTenants } from './local/local-tenants.ts'
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
  /** The cluster of the virtual clusters. Absent: an embedded one. */
  readonly realHost?: RealHost & { readonly access: ClusterAccess }
  /** The platform's issuer as an identity provider of applications. Absent: it is not one. */
  readonly oidcIssuer?: string
  /** Proxies in front of the platform. Absent: none is trusted. */
  readonly proxies?: ProxySettings
  /** For Pods on the embedded host. Absent: the defaults. */
  readonly simulatedTimes?: SimulatedTimes
  /** For each virtual cluster. */
  readonly capacity: Amount
  /** Absent: nothing is traced. */
  readonly tracing?: Omit<RequestTracing, 'server'>
  readonly log: Log
  readonly progress: Progress
}

export interface RunningUp {
  readonly platformUrl: string
  readonly hostUrl: string
  readonly realHost?: RealHost
  readonly kubeconfig: string
  readonly adminKeyFile: string
  /** The authority of the platform's certificate. */
  readonly caFile: string
  readonly tenants: readonly Pick<LocalInstance, 'project' | 'name' | 'namespace'>[]
  /** Only at the first start. */
  readonly newAdminKey: string | undefined
  stop(): Promise<void>
}

/** The platform and virtual clusters, all in this process, and their host, unless that is a real one. */
export async function startUp(options: UpOptions): Promise<RunningUp> {
  makeDirectory(options.directory)
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
  const real = options.realHost && (await openRealHost(options.realHost, options.log, stops))
  requireSameHost(directory, real?.id ?? embeddedHostId)
  const servers = await startUpServers({ ...options, ownTokens, license, hasRealHost: real !== undefined })
  const { platform } = servers
  stops.push(() => servers.stop())
  const admin = keptAdminKey(platform)
  const host = real ?? (await openEmbeddedHost(servers, ownTokens, options.log, stops))
  progress.step('Starting the virtual clusters')
  const tenants = await startTenants(options, { platform, host, ownTokens, license }, stops)
  const files = { directory, domain, adminKeyFile: admin.file, ...servers }
  const write = () => writeUpFiles(files, tenants.running())
  tenants.onChange(write)
  platform.onAdminReplaced(write)
  return {
    platformUrl: platform.url,
    hostUrl: host.url,
    ...(host.real !== undefined && { realHost: host.real }),
    kubeconfig: write(),
    adminKeyFile: admin.file,
    caFile: platform.certificateAuthorityFile,
    tenants: tenants.running(),
    newAdminKey: admin.isNew ? admin.value : undefined,
  }
}

/** The kubeconfig of this platform contains the key, so its value must be known. */
function keptAdminKey({ admin }: UpServers['platform']): KeptSecret {
  if (admin.form === 'kept') return admin.kept
  throw new Error(elsewhereText(admin.record))
}

async function openRealHost(
  { access, ...real }: RealHost & { readonly access: ClusterAccess },
  log: Log,
  stops: Stops,
): Promise<UpHost> {
  const client = clientOf(access, log)
  stops.push(() => client.close())
  return realHost(access, client, real)
}

async function openEmbeddedHost(
  { host: server }: UpServers,
  ownTokens: ProcessTokens,
  log: Log,
  stops: Stops,
): Promise<UpHost> {
  if (server === undefined) throw new Error('No host was started, and there is no other.')
  const host = await embeddedHost(server, ownTokens, log)
  stops.push(() => host.client.close())
  return host
}

interface TenantParts extends Pick<UpServers, 'platform'> {
  readonly host: UpHost
  readonly ownTokens: ProcessTokens
  readonly license: DevelopmentLicense
}

/** Starts the virtual clusters that the platform wants to run here, and creates what they need on the platform. */
async function startTenants(
  { directory, domain, withDemo, capacity, tracing, log }: UpOptions,
  { platform, host, ownTokens, license }: TenantParts,
  stops: Stops,
): Promise<LocalTenants> {
  const platformClient = clientOf(await ownAccess(ownTokens, platform, 'platform'), log)
  stops.push(() => platformClient.close())
  const apiVersion = `${managementGroup(domain)}/v1`
  await ensurePlatformSetup(platformClient, apiVersion, host)
  const session = ownSession({ ...platform, domain, accessKey: ownTokens.issue(adminUser) })
  const tenants = new LocalTenants({
    platform: platformClient,
    instances: virtualClusterInstances(domain),
    starter: new LocalStarter({
      host,
      session,
      issuerKey: license.issuerKey,
      capacity,
      ...given({ tracing }),
      log,
    }),
    directory: join(directory, 'tenants'),
    log,
  })
  stops.push(() => tenants.stop())
  if (withDemo) await startDemo({ directory, platform: platformClient, apiVersion, tenants, log })
  return tenants
}
