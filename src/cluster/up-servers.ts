import { join } from 'node:path'
import { firstKnown } from '../auth/first-known.ts'
import type { ProcessTokens } from '../auth/process-tokens.ts'
import { systemClock } from '../base/clock.ts'
import { readEd25519PublicKey } from '../base/keys/ed25519.ts'
import type { Log } from '../base/log.ts'
import type { SimulatedTimes } from '../controllers/simulated-node/settings.ts'
import type { AuditOnFailure } from '../platform/audit/unwritten.ts'
import { createLicenseHolder } from '../platform/license/license-holder.ts'
import type { QuotaSettings } from '../platform/quotas/quota-settings.ts'
import type { ProxySettings } from '../server/proxies/trusted-proxies.ts'
import type { RequestTracing } from '../server/tracing/trace-exchange.ts'
import { clusters } from './clusters.ts'
import { hostIdentity, platformIdentity, type ServerIdentity } from './identity/server-identity.ts'
import { type RunningServer, type ServerOptions, startServer } from './start-server.ts'

export interface LicenseDocument {
  readonly document: string
  /** The public key of its issuer. */
  readonly issuerKey: string
}

export interface UpServersOptions {
  readonly directory: string
  readonly port: number
  readonly host?: string
  readonly domain: string
  readonly platformStore: string
  readonly auditOnFailure?: AuditOnFailure
  readonly license: LicenseDocument
  readonly quotas: Partial<QuotaSettings>
  readonly sessionsPerOwner?: number
  readonly oidcIssuer?: string
  /** Proxies in front of the platform. Absent: none is trusted. */
  readonly proxies?: ProxySettings
  /** Tokens of the clients in this process. */
  readonly ownTokens: ProcessTokens
  readonly simulatedTimes?: SimulatedTimes
  /** Whether the host is another cluster, so that none is started. */
  readonly hasRealHost?: boolean
  /** Absent: nothing is traced. */
  readonly tracing?: Omit<RequestTracing, 'server'>
  readonly log: Log
}

export interface UpServers {
  readonly platform: RunningServer
  /** Absent if it is another cluster. */
  readonly host: RunningServer | undefined
  stop(): Promise<void>
}

/** The platform, and an embedded host cluster unless there is another. */
export async function startUpServers(options: UpServersOptions): Promise<UpServers> {
  const { sessionsPerOwner, simulatedTimes } = options
  const platform = await startNamed('platform', options, {
    store: options.platformStore,
    cluster: clusters.platform,
    port: options.port,
    ...(options.host === undefined ? {} : { host: options.host }),
    identity: (opened) => platformIdentity(opened, { directory: options.directory, log: options.log }),
    ...(options.proxies === undefined ? {} : { server: { proxies: options.proxies } }),
    platform: {
      domain: options.domain,
      audit: { file: join(options.directory, 'audit.log'), onFailure: options.auditOnFailure ?? 'refuse' },
      settings: sessionsPerOwner === undefined ? {} : { sessionsPerOwner },
      quotas: options.quotas,
      license: await licenseHolder(options.license),
      ...(options.oidcIssuer === undefined ? {} : { oidcIssuer: options.oidcIssuer }),
    },
  })
  if (options.hasRealHost === true) return { platform, host: undefined, stop: () => platform.stop() }
  const store = `file:${join(options.directory, 'host')}`
  const identity = () => hostIdentity(options.directory, platform)
  const cluster = clusters.host
  const engine = simulatedTimes === undefined ? {} : { simulatedTimes }
  const host = await startNamed('host', options, { store, cluster, port: 0, identity, engine }).catch(async (error) => {
    await platform.stop()
    throw error
  })
  return {
    platform,
    host,
    stop: async () => {
      await Promise.all([platform.stop(), host.stop()])
    },
  }
}

function startNamed(
  name: string,
  { directory, log, ownTokens, tracing }: UpServersOptions,
  own: Pick<ServerOptions, 'store' | 'cluster' | 'port' | 'host' | 'identity' | 'platform' | 'server' | 'engine'>,
): Promise<RunningServer> {
  const identity: ServerOptions['identity'] = async (store) => withTokens(await own.identity(store), ownTokens)
  // Only clients of this process use its host.
  const parents = name === 'host' ? 'all' : tracing?.parents
  const traced = tracing && parents && { server: { ...own.server, tracing: { ...tracing, parents, server: name } } }
  return startServer({ ...own, identity, name, directory, ...traced, log: log.child({ server: name }) })
}

function withTokens(identity: ServerIdentity, ownTokens: ProcessTokens): ServerIdentity {
  const { tokens } = identity
  const { authenticateToken } = firstKnown([tokens, ownTokens])
  return { ...identity, tokens: { authenticateToken, holderOf: (hash) => tokens.holderOf(hash) } }
}

function licenseHolder({ document, issuerKey }: LicenseDocument) {
  return createLicenseHolder({ document, issuerKey: readEd25519PublicKey(issuerKey), clock: systemClock })
}
