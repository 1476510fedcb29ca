import type { Service } from '../../api/types/core-v1.ts'
import type { EndpointSlice } from '../../api/types/discovery-v1.ts'
import type { News } from '../run/event-limits.ts'
import type { SliceChange, SlicePlan } from './plan-slices.ts'
import type { ZoneShares } from './zone-allocations.ts'
import { type HintableSlice, type HintedEndpoints, withOwnZones, withoutHints, withSharedZones } from './zone-hints.ts'

const modeAnnotations = ['service.kubernetes.io/topology-aware-hints', 'service.kubernetes.io/topology-mode']

export interface HintedPlan {
  readonly plan: SlicePlan
  readonly news: readonly News[]
  /** Whether endpoints are allocated to zones. */
  readonly isShared: boolean
}

export interface HintFacts {
  readonly shares: ZoneShares | undefined
  /** According to the last plan. */
  readonly wasShared: boolean
}

/** The plan with zone hints for each endpoint. `unchanged` are the slices that the plan leaves as they are. */
export function hintedPlan(
  service: Service,
  plan: SlicePlan,
  unchanged: readonly EndpointSlice[],
  { shares, wasShared }: HintFacts,
): HintedPlan {
  const { create, change, remove } = plan
  const written = [...create, ...change.map(({ after }) => after)]
  const all = [...written, ...unchanged]
  const hints = new Map<EndpointSlice, HintedEndpoints[number]>()
  const news: News[] = []
  let isShared = wasShared
  for (const addressType of new Set(all.map((slice) => slice.addressType))) {
    const slices = all.filter((slice) => slice.addressType === addressType)
    const hintable = slices.map((slice) => ({ endpoints: slice.endpoints ?? [], isWritten: written.includes(slice) }))
    const hinted = hintedIn(service, hintable, shares, isShared)
    for (const [index, endpoints] of hinted.endpoints.entries()) {
      const slice = slices[index]
      if (slice !== undefined && endpoints !== hintable[index]?.endpoints) hints.set(slice, endpoints)
    }
    for (const each of hinted.news) news.push({ ...each, message: `${each.message}, addressType: ${addressType}` })
    isShared = hinted.isShared
  }
  const withHints = (slice: EndpointSlice): EndpointSlice => {
    const endpoints = hints.get(slice)
    return endpoints === undefined || endpoints.length === 0 ? slice : { ...slice, endpoints }
  }
  const rewritten = unchanged.filter((slice) => hints.has(slice))
  return {
    plan: {
      create: create.map(withHints),
      change: [
        ...change.map(({ before, after }): SliceChange => ({ before, after: withHints(after) })),
        ...rewritten.map((slice): SliceChange => ({ before: slice, after: withHints(slice) })),
      ],
      remove,
    },
    news,
    isShared,
  }
}

interface Hinted {
  readonly endpoints: HintedEndpoints
  readonly news: readonly News[]
  readonly isShared: boolean
}

function hintedIn(
  service: Service,
  slices: readonly HintableSlice[],
  shares: ZoneShares | undefined,
  wasShared: boolean,
): Hinted {
  if (!sharesZones(service)) {
    const isClose = service.spec.trafficDistribution === 'PreferClose'
    const news = wasShared ? [disabled('Topology Aware Hints has been disabled')] : []
    return { endpoints: isClose ? withOwnZones(slices) : withoutHints(slices), news, isShared: false }
  }
  const { endpoints, problem } = withSharedZones(slices, shares)
  if (problem !== undefined) return { endpoints, news: [disabled(problem)], isShared: false }
  return { endpoints, news: wasShared ? [] : [enabled], isShared: true }
}

/** The older annotation takes precedence. */
function sharesZones({ metadata }: Service): boolean {
  const mode = modeAnnotations.map((name) => metadata.annotations?.[name]).find((value) => value !== undefined)
  return mode === 'Auto' || mode === 'auto'
}

const enabled: News = {
  type: 'Normal',
  reason: 'TopologyAwareHintsEnabled',
  message: 'Topology Aware Hints has been enabled',
}

function disabled(message: string): News {
  return { type: 'Warning', reason: 'TopologyAwareHintsDisabled', message }
}
