import type { KubeObject } from '../../api/object.ts'
import { parseQuantity } from '../../api/quantity.ts'
import type { Container, Pod } from '../../api/types/core-v1.ts'
import { asMembers, asText } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import type { MeasuredPod, UsageSample } from './proposed-replicas.ts'

/** Amounts of resources by name, in thousandths. */
type Amounts = ReadonlyMap<string, number>

interface ContainerAmounts {
  readonly name: string
  readonly amounts: Amounts
}

/** What autoscalers need to know about a Pod. */
export interface PodRequests extends Omit<MeasuredPod, 'request' | 'unrequested' | 'sample'> {
  readonly containers: readonly ContainerAmounts[]
}

/** The usage of a Pod's containers. */
export interface PodUsage {
  readonly atMs: number
  readonly windowMs: number
  readonly containers: readonly ContainerAmounts[]
}

export function podRequestsFrom(object: KubeObject): PodRequests {
  const { metadata, spec, status } = object as Pod
  const ready = status.conditions?.find(({ type }) => type === 'Ready')
  const { startTime } = status
  const sidecars = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always')
  return {
    name: metadata.name ?? '',
    phase: status.phase ?? '',
    isBeingDeleted: metadata.deletionTimestamp !== undefined,
    startedMs: startTime === undefined ? undefined : Date.parse(startTime),
    ready: ready && { isReady: ready.status === 'True', changedMs: Date.parse(ready.lastTransitionTime ?? '') || 0 },
    containers: [...(spec.containers ?? []), ...sidecars].map(requestsOf),
  }
}

/** As in metrics.k8s.io. The kind may come from a user's definition, so it can hold anything. */
export function podUsageFrom({ timestamp, window, containers }: Readonly<Record<string, unknown>>): PodUsage {
  const listed: readonly unknown[] = Array.isArray(containers) ? containers : []
  return {
    atMs: Date.parse(asText(timestamp)) || 0,
    windowMs: Number.parseFloat(asText(window)) * 1000 || 0,
    containers: listed.filter(isJsonObject).map(usageOf),
  }
}

/** For one resource, and for all containers or the named one. */
export function measuredPod(
  { containers, ...pod }: PodRequests,
  usage: PodUsage | undefined,
  resource: string,
  container: string | undefined,
): MeasuredPod {
  const isAsked = ({ name }: ContainerAmounts) => container === undefined || name === container
  return {
    ...pod,
    ...requestIn(containers.filter(isAsked), resource),
    sample: usage && sampleIn(usage, resource, isAsked),
  }
}

function requestIn(
  containers: readonly ContainerAmounts[],
  resource: string,
): Pick<MeasuredPod, 'request' | 'unrequested'> {
  let sum = 0
  for (const { name, amounts } of containers) {
    const request = amounts.get(resource)
    if (request === undefined) return { request, unrequested: name }
    sum += request
  }
  return { request: sum }
}

/** Whether any usage of a container is reported. */
export function isMeasured({ containers }: PodUsage, container: string): boolean {
  return containers.some(({ name }) => name === container)
}

function sampleIn(
  { atMs, windowMs, containers }: PodUsage,
  resource: string,
  isAsked: (container: ContainerAmounts) => boolean,
): UsageSample {
  const value = containers.filter(isAsked).reduce((sum, { amounts }) => sum + (amounts.get(resource) ?? 0), 0)
  return { value, atMs, windowMs }
}

function requestsOf({ name, resources }: Container): ContainerAmounts {
  return { name, amounts: amountsOf(resources.requests ?? {}) }
}

function usageOf({ name, usage }: Readonly<Record<string, unknown>>): ContainerAmounts {
  return { name: asText(name), amounts: amountsOf(asMembers(usage)) }
}

function amountsOf(quantities: Readonly<Record<string, unknown>>): Amounts {
  return new Map(Object.entries(quantities).map(([resource, quantity]) => [resource, thousandths(String(quantity))]))
}

/** Rounded up, as in Kubernetes: a small amount is not zero. */
export function thousandths(quantity: string | number): number {
  const parsed = parseQuantity(String(quantity))
  return 'problem' in parsed ? 0 : Number((parsed.nanos + 999_999n) / 1_000_000n)
}
