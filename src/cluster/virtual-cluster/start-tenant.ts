import { join } from 'node:path'
import { isRefusal } from '../../api/error.ts'
import { clusterRoleBindingOf } from '../../api/link.ts'
import type { EffectiveConfig } from '../../api/tenant-config/types.ts'
import { monotonicClock, systemClock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { packageVersion } from '../../base/package-version.ts'
import { systemRandom } from '../../base/random.ts'
import type { Tracing } from '../../base/tracing/tracing.ts'
import { clusterRoleBindingType } from '../../client/builtin-types.ts'
import type { KubeClient } from '../../client/contract.ts'
import { createHttpsForwarder } from '../../client/forward/over-https.ts'
import { createKubeClient } from '../../client/kube-client.ts'
import type { ClusterAccess } from '../../client/kubeconfig/contract.ts'
import type { RunningDns } from '../../dns/dns-server.ts'
import type { Amount } from '../../registry/quota/ledger.ts'
import type { RequestTracing } from '../../server/tracing/trace-exchange.ts'
import type { KnownObject, VirtualApi } from '../../tenant/link/contract.ts'
import { embeddedApi } from '../../tenant/link/embedded-api.ts'
import { forwardedApi } from '../../tenant/link/forwarded-api.ts'
import type { EarlyVirtualApi } from '../../tenant/link/late-api.ts'
import { metricsGroups, metricsRoute } from '../../tenant/metrics/metrics-route.ts'
import { readHostMetrics } from '../../tenant/metrics/read-host-metrics.ts'
import { nodeProxyRoute } from '../../tenant/pod-access/node-refusal.ts'
import { podProxyRoute } from '../../tenant/pod-access/pod-proxy-route.ts'
import { podRoute } from '../../tenant/pod-access/pod-route.ts'
import { findPodNetwork } from '../../tenant/pod-network.ts'
import { Tenant, type TenantOptions } from '../../tenant/tenant.ts'
import { beginSigningKey, signingKeysIn } from '../identity/new-signing-key.ts'
import type { AnsweringServer } from '../start-server.ts'
import { withRoomIn } from '../store/room-at-start.ts'
import { commonFilesOf } from './common-files-of.ts'
import { type ContentLimit, limitFromConfig, limitOfMachine } from './content-limit.ts'
import type { ControlPlane } from './control-plane.ts'
import { LatePodAccess } from './late-pod-access.ts'
import { LatePodNetwork, type PodNetworkSteps } from './late-pod-network.ts'
import { LateStatus } from './late-status.ts'
import { type OpenedPlatform, openPlatform } from './open-platform.ts'
import type { DnsPlace, PodNamesOptions } from './pod-names.ts'
import { serverName } from './server-name.ts'
import { statusRoute } from './status-routes.ts'

export interface TenantProcessOptions
  extends Pick<TenantOptions, 'identity' | 'config' | 'license' | 'issuerKey' | 'processName' | 'env'> {
  readonly host: ClusterAccess
  readonly virtual: VirtualSide
  /** The address of the DNS server. Absent: there is none. */
  readonly dns?: DnsPlace
  /** Absent: nothing is traced. `parents` concerns clients that do not use the link. */
  readonly tracing?: Omit<RequestTracing, 'server'>
  /** Its object on one platform, where it registers only as this one. */
  readonly known?: KnownObject
  readonly log: Log
}

/** The API server of the virtual cluster: an existing one, or one that is started. */
export type VirtualSide = { readonly form: 'given'; readonly access: ClusterAccess } | EmbeddedSide

export interface EmbeddedSide {
  readonly form: 'embedded'
  readonly directory: string
  /** In the format of `openStore`. Absent: in the directory. */
  readonly store?: string
  readonly host: string
  readonly port: number
  /** Where administrators reach it, if not where it listens. */
  readonly adminUrl?: string
  /** The file for the kubeconfig of external controllers. Absent: beside its data. */
  readonly controllersKubeconfig?: string
  /** How much it may store. Absent: the limit in its configuration. */
  readonly capacity?: Amount
}

export interface RunningTenant {
  /** Absent if the API server was given. */
  readonly controlPlane: ControlPlane | undefined
  readonly tenant: Tenant
  readonly status: LateStatus
  /** The port of the DNS server. */
  readonly dnsPort: number | undefined
  reconfigure(config: EffectiveConfig): void
  stop(): Promise<void>
}

/** Starts the parts of a virtual cluster in order, and stops them in reverse. */
export async function startTenant(options: TenantProcessOptions): Promise<RunningTenant> {
  const stops: (() => void | Promise<void>)[] = []
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) await end()
  }
  try {
    const status = new LateStatus()
    const podAccess = new LatePodAccess()
    const host = clientOf(options.host, options, options.tracing?.tracing)
    stops.push(() => host.close())
    const toPlatform = () => {
      const opened = openPlatform(options, host)
      stops.push(() => opened.connection.stop())
      return opened
    }
    const first = isAlone(options) ? toPlatform() : undefined
    const controlPlane = await embeddedSide(options, { host, status, podAccess, first })
    if (controlPlane !== undefined) stops.push(() => controlPlane.stop())
    const network = new LatePodNetwork()
    stops.push(() => network.stop())
    void network.learn(networkSteps(host, controlPlane, options))
    const podNetwork = () => network.current
    const access = controlPlane?.access ?? givenAccess(options.virtual)
    const virtual = clientOf(access, options)
    stops.push(() => virtual.close())
    const platform = first ?? toPlatform()
    platform.api.become(controlPlane === undefined ? forwarded(access, stops) : embedded(controlPlane, virtual))
    platform.link()
    const tenant = new Tenant({
      ...options,
      host,
      virtual,
      podNetwork,
      platform: platform.connection,
      virtualFollowsHostAddresses: controlPlane !== undefined,
      ...adminKubeconfig(options.virtual, controlPlane),
      clock: systemClock,
      elapsed: monotonicClock,
      random: systemRandom,
    })
    stops.push(() => tenant.stop())
    const names = options.dns && (await startNames(options.dns, { ...options, virtual, podNetwork }))
    if (names !== undefined) stops.push(() => names.stop())
    status.of(tenant)
    stops.push(() => podAccess.stop())
    podAccess.begin(tenant, { ...options, host, virtual, access: options.host })
    void tenant.whenInStep().then(() => status.setReady())
    const reconfigure = (config: EffectiveConfig) => {
      tenant.reconfigure(config)
      if (options.virtual.form === 'embedded') controlPlane?.limitTo(contentLimitOf(options.virtual, config).most)
    }
    return { controlPlane, tenant, status, dnsPort: names?.port, reconfigure, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** With several replicas, the others serve until this one can. */
function isAlone({ virtual, config }: TenantProcessOptions): boolean {
  return virtual.form === 'embedded' && config.controlPlane.replicas === 1
}

/** Clients in Pods verify the certificate for the address at which they reach the server, and may look it up. */
function networkSteps(
  host: KubeClient,
  controlPlane: ControlPlane | undefined,
  { identity, config, log }: TenantProcessOptions,
): PodNetworkSteps {
  return {
    find: (signal) => findPodNetwork(host, identity, config.networking, signal),
    prepare: async ({ api }) => {
      if (api !== undefined) await controlPlane?.answerAt(api)
    },
    log,
  }
}

/** Loaded on demand. */
async function startNames(place: DnsPlace, options: Omit<PodNamesOptions, 'place'>): Promise<RunningDns> {
  const { startPodNames } = await import('./pod-names.ts')
  return startPodNames({ ...options, place })
}

function clientOf(access: ClusterAccess, { env, log }: TenantProcessOptions, tracing?: Tracing): KubeClient {
  const userAgent = `tenant-syncer/${packageVersion()}`
  return createKubeClient({ access, clock: systemClock, random: systemRandom, log, userAgent, env, tracing })
}

interface EmbeddedParts {
  readonly host: KubeClient
  readonly status: LateStatus
  readonly podAccess: LatePodAccess
  /** The part that is linked as early as possible. */
  readonly first: OpenedPlatform | undefined
}

async function embeddedSide(
  { identity, config, host: access, virtual, tracing, log }: TenantProcessOptions,
  { host, status, podAccess, first }: EmbeddedParts,
): Promise<ControlPlane | undefined> {
  if (virtual.form === 'given') return undefined
  const currentConfig = () => podAccess.config ?? config
  const arePodsSynced = () => currentConfig().sync.toHost.pods.enabled
  const newSigningKey = beginSigningKey(signingKeysIn(virtual.directory, serverName))
  // Loaded on demand: beside another API server its memory would be wasted.
  const { startControlPlane } = await import('./control-plane.ts')
  return withRoomIn(virtual.directory, () =>
    startControlPlane({
      ...virtual,
      identity,
      onStoreOpened: first?.link,
      onAnswering: (server) => first?.api.answerBy(early(server)),
      files: commonFilesOf(virtual, { identity, config, host, log }),
      contentLimit: contentLimitOf(virtual, config),
      clusterDomain: config.networking.clusterDomain,
      oidc: config.controlPlane.oidc,
      controllersKubeconfig: controllersKubeconfigOf(virtual, config),
      // A host in this process does not route the addresses that it assigns.
      addressOfCopy: access.local === undefined ? (service) => podAccess.addressOfCopy(service) : undefined,
      hostMetrics: readHostMetrics(() => podAccess.metrics),
      tokensAhead: arePodsSynced,
      config: currentConfig,
      newSigningKey,
      server: {
        extraRoutes: [
          statusRoute(status),
          podRoute(() => podAccess.current),
          podProxyRoute(() => podAccess.current),
          nodeProxyRoute,
          metricsRoute(() => podAccess.metrics),
        ],
        hasConnections: arePodsSynced,
        moreGroups: () => metricsGroups(podAccess.metrics),
        moreMetrics: () => status.metrics(),
        ...(tracing && { tracing: { ...tracing, server: 'virtual cluster' } }),
      },
      log: log.child({ server: 'virtual' }),
    }),
  )
}

/** Undefined if the tenant itself handles workloads. */
function controllersKubeconfigOf(virtual: EmbeddedSide, { controlPlane }: EffectiveConfig): string | undefined {
  if (controlPlane.controllers === 'embedded') return undefined
  return virtual.controllersKubeconfig ?? join(virtual.directory, 'controller-manager.kubeconfig')
}

function contentLimitOf({ capacity }: EmbeddedSide, { controlPlane }: EffectiveConfig): ContentLimit {
  return capacity === undefined ? limitFromConfig(controlPlane.storage) : limitOfMachine(capacity)
}

function givenAccess(virtual: VirtualSide): ClusterAccess {
  if (virtual.form === 'given') return virtual.access
  throw new Error('An embedded control plane has its own access.')
}

function adminKubeconfig(virtual: VirtualSide, controlPlane: ControlPlane | undefined) {
  if (virtual.form === 'given' || controlPlane === undefined) return {}
  return { adminKubeconfig: controlPlane.kubeconfigAt(virtual.adminUrl ?? controlPlane.url) }
}

function forwarded(access: ClusterAccess, stops: (() => void | Promise<void>)[]): VirtualApi {
  const forwarder = createHttpsForwarder(access, {})
  stops.push(() => forwarder.close())
  return forwardedApi(forwarder)
}

/** Roles that were bound before stay bound; others are bound when everything has started. */
function early({ serveStream, hasClusterRoleBinding }: AnsweringServer): EarlyVirtualApi {
  const isBound = (role: string) => hasClusterRoleBinding(clusterRoleBindingOf(role).metadata.name)
  return { ...embeddedApi(serveStream, async () => {}), isBound }
}

function embedded({ serveStream }: ControlPlane, virtual: KubeClient): VirtualApi {
  return embeddedApi(serveStream, (role) => bindClusterRole(virtual, role))
}

/** It may already be bound. */
async function bindClusterRole(virtual: KubeClient, role: string): Promise<void> {
  try {
    await virtual.create(clusterRoleBindingType, clusterRoleBindingOf(role))
  } catch (error) {
    if (!isRefusal(error, 409)) throw error
  }
}
