import type { Kind } from '../../api/kind.ts'
import type { Authenticator } from '../../auth/contract.ts'
import type { KeyAndCertificate } from '../../base/certificates/issue.ts'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { ElectionTimes } from '../../client/lease/contract.ts'
import type { SimulatedTimes } from '../../controllers/simulated-node/settings.ts'
import type { AdminRecord } from '../../platform/identity/admin-record.ts'
import type { PlatformOptions } from '../../platform/platform.ts'
import type { FrontProxy } from '../../registry/aggregation/contract.ts'
import type { ReadList } from '../../registry/aggregation/read-list.ts'
import type { ServiceNetwork } from '../../registry/allocation/service-allocator.ts'
import type { Capacity } from '../../registry/quota/capacity.ts'
import type { ObjectRegistry } from '../../registry/registry.ts'
import type { WebhookCredentials } from '../../registry/webhooks/webhook-credentials.ts'
import type {
  ApiServer,
  ApiServerDependencies,
  AuditRecord,
  HealthCheck,
  TlsFiles,
  VersionInfo,
} from '../../server/contract.ts'
import type { Store } from '../../storage/contract.ts'
import type { AuthenticationOptions } from '../access/authentication.ts'
import type { ClusterType } from '../clusters.ts'
import type { ApiAddress } from '../controllers/api-address.ts'

export interface ApiEngineOptions extends Omit<AuthenticationOptions, 'registry'> {
  readonly store: Store
  /** Metrics of the store. */
  readonly storeMetrics?: () => string
  readonly cluster: ClusterType
  /** Replaces those of the cluster, for tests. */
  readonly kinds?: readonly Kind[]
  readonly tls: TlsFiles
  /** Signs client certificates of users. Its own certificate is `tls.clientCa`. Absent: there are none. */
  readonly clientAuthority?: KeyAndCertificate | undefined
  /** Credentials for admission webhooks. Absent: none. */
  readonly webhookCredentials?: WebhookCredentials | undefined
  /** Allows APIs behind APIServices. Absent: there are none. */
  readonly frontProxy?: FrontProxy | undefined
  /** The certificate that clients trust, published in every namespace. */
  readonly rootCertificate: string
  readonly version: VersionInfo
  /** For durations: `monotonicClock`. */
  readonly elapsed: Clock
  readonly log: Log
  /**
   * Whether tokens of new Pods will be requested at once: then they are signed while the Pods are stored. Absent:
   * never.
   */
  readonly tokensAhead?: (() => boolean) | undefined
  readonly network?: ServiceNetwork
  /** Limit of the total storage. Absent: none. */
  readonly capacity?: Capacity
  /** With `none`, nothing is collected, terminated or filled in: the bare API. */
  readonly controllers?: 'all' | 'none'
  /** Times of leader election among replicas on one etcd. Absent: those of Kubernetes. */
  readonly electionTimes?: ElectionTimes
  /** Times of Pods on a simulated node. */
  readonly simulatedTimes?: SimulatedTimes
  /** For a virtual cluster: the metrics of its host, for autoscalers. */
  readonly hostMetrics?: ReadList | undefined
  readonly server?: Pick<
    ApiServerDependencies,
    'limits' | 'proxies' | 'extraRoutes' | 'moreGroups' | 'hasConnections' | 'audit' | 'moreMetrics' | 'tracing'
  >
  /** In addition to those of the store and the platform. */
  readonly healthChecks?: readonly HealthCheck[]
  /** Turns the server into the platform, with access keys, owners and projects. */
  readonly platform?: Pick<
    PlatformOptions,
    'domain' | 'settings' | 'quotas' | 'heartbeatSeconds' | 'audit' | 'license'
  > & {
    /** Where other replicas reach this one. Absent: where it listens. */
    readonly advertiseUrl?: string
    /** The issuer URL of the platform as an identity provider of applications. Absent: it is not one. */
    readonly oidcIssuer?: string
  }
}

/** One API server: a registry over a store, its controllers, and HTTPS in front of it. */
export interface ApiEngine {
  readonly registry: ObjectRegistry
  readonly server: ApiServer
  /** For a platform: authenticates callers by their access keys. */
  readonly accessKeys: Authenticator
  /** Records an action in the audit log that was not a request. */
  readonly audit: (record: AuditRecord) => void
  /**
   * For a platform: turns the administrator's key into an access key. Returns the record if it replaced another one.
   */
  settleFirstKey(): Promise<AdminRecord | undefined>
  /** Bootstraps what a cluster needs and starts the controllers. Call it once the server's address is known. */
  startCluster(address: ApiAddress): Promise<void>
  /** Others reach the API at this address, too, and find it in the Endpoints of its Service. */
  advertise(address: ApiAddress): Promise<void>
  /** For connections from now on. Other replicas identify this one by its certificate, and are informed. */
  useCertificate(tls: TlsFiles, rootCertificate: string): Promise<void>
  stop(): Promise<void>
}
