import type { Authorizer } from '../../auth/contract.ts'
import type { RbacIndex } from '../../auth/rbac/rbac-index.ts'
import type { TokenIssuer } from '../../auth/service-account-issuer.ts'
import type { KeyAndCertificate } from '../../base/certificates/issue.ts'
import type { Log } from '../../base/log.ts'
import type { ElectionTimes } from '../../client/lease/contract.ts'
import type { SimulatedTimes } from '../../controllers/simulated-node/settings.ts'
import type { AggregatedApis } from '../../registry/aggregation/aggregated-apis.ts'
import type { AskApi } from '../../registry/aggregation/ask-api.ts'
import type { ReadList } from '../../registry/aggregation/read-list.ts'
import type { ServiceAllocator } from '../../registry/allocation/service-allocator.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import type { RootCertificate } from '../../registry/controllers/namespace-defaults.ts'
import type { ObjectRegistry } from '../../registry/registry.ts'
import type { QuotaBook } from '../../registry/resource-quota/quota-book.ts'
import type { ReviewResource } from '../../server/reviews/contract.ts'

export interface ControllerParts {
  readonly registry: ObjectRegistry
  readonly allocator: ServiceAllocator
  readonly quotaBook: QuotaBook
  /** Reviews that the server answers besides its kinds. */
  readonly reviews: readonly ReviewResource[]
  /** Absent: there are no APIs behind APIServices. */
  readonly aggregation?: { readonly ask: AskApi; readonly apis: Pick<AggregatedApis, 'find'> } | undefined
  /** For a virtual cluster: the metrics of its host. */
  readonly hostMetrics?: ReadList | undefined
  readonly rootCertificate: RootCertificate
  /** Signs tokens of service accounts. */
  readonly issueToken: TokenIssuer
  /** Signs certificates of users. Absent: there are none. */
  readonly clientAuthority?: KeyAndCertificate | undefined
  readonly authorizer: Authorizer
  readonly rbac: Pick<RbacIndex, 'clusterRoles'>
  /** The Kubernetes version that is served. */
  readonly version: string
  /** Times of Pods on a simulated node. Absent: the defaults. */
  readonly simulatedTimes?: SimulatedTimes | undefined
  /** Times of leader election. Absent: those of Kubernetes. */
  readonly electionTimes?: ElectionTimes | undefined
  readonly report: ReportError
  readonly log: Log
}

/** By name. Undefined if the kinds that the controller handles are not served. */
export type ControllerTable = Readonly<Record<string, (parts: ControllerParts) => Controller | undefined>>
