import { apiServiceGroup } from '../../api/apiregistration/api-service.ts'
import { AvailabilityController } from '../../controllers/api-services/availability-controller.ts'
import type { LocalVersion } from '../../controllers/api-services/local-api-service.ts'
import { LocalApiServices } from '../../controllers/api-services/local-api-services.ts'
import { whileLeading } from '../../controllers/run/leading.ts'
import { AggregatedApis } from '../../registry/aggregation/aggregated-apis.ts'
import { type AskApi, askingApis } from '../../registry/aggregation/ask-api.ts'
import type { FrontProxy } from '../../registry/aggregation/contract.ts'
import type { Controller } from '../../registry/controllers/controller.ts'
import type { ObjectRegistry } from '../../registry/registry.ts'
import type { WebhookAddressRules } from '../../registry/webhooks/contract.ts'
import { aggregatedFlow } from '../../server/aggregation/aggregated-flow.ts'
import { aggregatedRoute } from '../../server/aggregation/aggregated-route.ts'
import type { FindAggregatedApi } from '../../server/aggregation/asked-api.ts'
import type { ExtraRoute } from '../../server/contract.ts'
import type { KnownFlow } from '../../server/fairness/flow.ts'
import type { ControllerParts } from '../controllers/controller-parts.ts'

interface GroupVersion {
  readonly group: string
  readonly version: string
}

export interface ClusterAggregationOptions {
  readonly registry: ObjectRegistry
  readonly reach: WebhookAddressRules
  readonly frontProxy: FrontProxy
  /** Group versions that the server answers besides its kinds. */
  readonly reviews: readonly GroupVersion[]
}

/** The APIs behind APIServices. */
export interface ClusterAggregation {
  readonly apis: AggregatedApis
  readonly ask: AskApi
  readonly route: ExtraRoute
  readonly flow: KnownFlow
  /** Cuts requests under way. */
  close(): void
}

/** Undefined if APIServices are not served. */
export function clusterAggregation(options: ClusterAggregationOptions): ClusterAggregation | undefined {
  const { registry, reach, frontProxy, reviews } = options
  const services = registry.engine.find(apiServiceGroup, 'APIService')
  if (services === undefined) return undefined
  const own = ownVersions(registry, reviews)
  const isOwn = (group: string, version: string) => own().has(`${version}.${group}`)
  const apis = new AggregatedApis({ services, reach, frontProxy, isOwn })
  const stopping = new AbortController()
  const find: FindAggregatedApi = (group, version) => apis.find(group, version)
  return {
    apis,
    ask: askingApis(apis),
    route: aggregatedRoute({ find, stopping: stopping.signal }),
    flow: aggregatedFlow(find),
    close: () => {
      stopping.abort()
      apis.close()
    },
  }
}

/** By the names of their APIServices, looked up again after the set of kinds has changed. */
function ownVersions(
  registry: ObjectRegistry,
  reviews: readonly GroupVersion[],
): () => ReadonlyMap<string, LocalVersion> {
  let known: ReadonlyMap<string, LocalVersion> | undefined
  registry.onChange(() => {
    known = undefined
  })
  return () => {
    known ??= new Map(
      [...registry.resources().map(({ kind }) => kind), ...reviews].map((each) => {
        const isCustom = 'flavor' in each && each.flavor === 'custom'
        const { group, version } = each
        return [`${version}.${group}`, { group, version, isCustom }]
      }),
    )
    return known
  }
}

/** Every group and version served here has an APIService, and all of them report whether they can be reached. */
export function startApiServices(parts: ControllerParts): Controller | undefined {
  const { registry, reviews, aggregation, electionTimes: times, report, log } = parts
  const find = (group: string, kind: string) => registry.engine.find(group, kind)
  const [apiServices, services] = [find(apiServiceGroup, 'APIService'), find('', 'Service')]
  const [endpoints, leases] = [find('', 'Endpoints'), find('coordination.k8s.io', 'Lease')]
  if (!apiServices || !services || !endpoints || !leases) return undefined
  const own = ownVersions(registry, reviews)
  const start = (mayWrite: () => boolean): Controller => {
    const served = () => [...own().values()]
    const onServedChange = (listener: () => void) => registry.onChange(listener)
    const local = new LocalApiServices({ apiServices, served, onServedChange, report })
    const common = { apiServices, services, endpoints, report, mayWrite }
    const availability = new AvailabilityController({ ...common, ask: aggregation?.ask })
    return {
      stop: async () => {
        await Promise.all([local.stop(), availability.stop()])
      },
    }
  }
  return whileLeading({ leases, name: 'tenant-apiservice-controllers', log, times, start })
}
