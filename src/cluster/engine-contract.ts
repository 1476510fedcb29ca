import type { Kind } from '../api/kind.ts'
import type { Authenticator } from '../auth/contract.ts'
import type { KeyAndCertificate } from '../base/certificates/issue.ts'
import type { Log } from '../base/log.ts'
import type { ElectionTimes } from '../client/lease/contract.ts'
import type { SimulatedTimes } from '../controllers/simulated-node/settings.ts'
import type { AdminRecord } from '../platform/identity/admin-record.ts'
import type { PlatformOptions } from '../platform/platform.ts'
import type { FrontProxy } from '../registry/aggregation/contract.ts'
import type { ReadList } from '../registry/aggregation/read-list.ts'
import type { ServiceNetwork } from '../registry/allocation/service-allocator.ts'
import type { Capacity } from '../registry/quota/capacity.ts'
import type { ObjectRegistry } from '../registry/registry.ts'
import type { WebhookCredentials } from '../registry/webhooks/webhook-credentials.ts'
import type { ApiServer, ApiServerDependencies, AuditRecord, TlsFiles, VersionInfo } from '../server/contract.ts'
import type { Store } from '../storage/contract.ts'
import type { AuthenticationOptions } from './authentication.ts'
import type { ClusterType } from './clusters.ts'

export interface ApiEngineOptions extends Omit<AuthenticationOptions, 'registry'> {
  readonly store: Store
  /** What is to be told of it. */
  readonly storeMetrics?: () => string
  readonly cluster: ClusterType
  /** Instead of those of the cluster: for tests. */
  readonly kinds?: readonly Kind[]
  readonly tls: TlsFiles
  /** Signs certificates by which users are known. Its own is `tls.clientCa`. Absent: there are none. */
  readonly clientAuthority?: KeyAndCertificate | undefined
  /** What admission webhooks are shown. Absent: nothing. */
  readonly webhookCredentials?: WebhookCredentials | undefined
  /** Lets servers of users answer for APIs behind this one. Absent: none does. */
  readonly frontProxy?: FrontProxy | undefined
  /** The certificate that clients trust, published in every namespace. */
  readonly rootCertificate: string
  readonly version: VersionInfo
  readonly log: Log
  /** Whether the tokens of new Pods will be asked for at once, now: then they are signed while the Pods are stored. Absent: never. */
  readonly tokensAhead?: (() => boolean) | undefined
  readonly network?: ServiceNetwork
  /** How much may be stored in all. Absent: as much as there is room for. */
  readonly capacity?: Capacity
  /** With `none` nothing is collected, terminated or filled in: the bare API. */
  readonly controllers?: 'all' | 'none'
  /** How replicas on one etcd take turns with the controllers. Absent: as Kubernetes does. */
  readonly electionTimes?: ElectionTimes
  /** Of Pods on a simulated node. */
  readonly simulatedTimes?: SimulatedTimes
  /** Of a virtual cluster: what its host measures, for autoscalers. */
  readonly hostMetrics?: ReadList | undefined
  readonly server?: Pick<
    ApiServerDependencies,
    'limits' | 'proxies' | 'extraRoutes' | 'moreGroups' | 'hasConnections' | 'audit' | 'moreMetrics' | 'tracing'
  >
  /** Makes the server the platform: access keys, owners and projects count. */
  readonly platform?: Pick<
    PlatformOptions,
    'domain' | 'settings' | 'quotas' | 'heartbeatSeconds' | 'audit' | 'license'
  > & {
    /** Where other replicas reach this one. Absent: where it listens. */
    readonly advertiseUrl?: string
    /** What the platform is called as an identity provider of applications. Absent: it is none. */
    readonly oidcIssuer?: string
  }
}

/** One API server: a registry over a store, its controllers, and HTTPS in front of it. */
export interface ApiEngine {
  readonly registry: ObjectRegistry
  readonly server: ApiServer
  /** Of a platform: who callers are by their access keys. */
  readonly accessKeys: Authenticator
  /** Puts on record what came by no request. */
  readonly audit: (record: AuditRecord) => void
  /** Of a platform: makes the administrator's key an access key. Returns the record if it took the place of another one. */
  settleFirstKey(): Promise<AdminRecord | undefined>
  /** Bootstraps what a cluster needs and starts the controllers. Call it once the server's address is known. */
  startCluster(address: { readonly host: string; readonly port: number }): Promise<void>
  /** For connections from now on. Other replicas know this one by its certificate, and are told. */
  useCertificate(tls: TlsFiles, rootCertificate: string): Promise<void>
  stop(): Promise<void>
}
