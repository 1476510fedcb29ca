import type { KubeObject } from '../../api/object.ts'
import type { Endpoint, EndpointPort, EndpointSlice } from '../../api/types/discovery-v1.ts'
import { deepEqual } from '../../base/equal.ts'
import { controllerIn, controllerReference } from '../ownership/owned.ts'
import { packSlices } from './pack-slices.ts'
import { triggerTimeAnnotation, withTriggerTime } from './trigger-time.ts'

type TextMap = Readonly<Record<string, string>>

/** Endpoints that can share a slice. */
export interface SliceGroup {
  readonly addressType: string
  readonly ports: readonly EndpointPort[]
  readonly endpoints: readonly Endpoint[]
}

/** What all slices of one owner have in common. */
export interface SliceTemplate {
  readonly owner: KubeObject
  readonly labels: TextMap
  /** Absent: others may annotate the slices. */
  readonly annotations?: TextMap
  /** Per slice. */
  readonly mostEndpoints: number
  /** Address types that get a slice even without endpoints. */
  readonly placeholders: readonly string[]
}

export interface SlicePlan {
  readonly create: readonly EndpointSlice[]
  readonly change: readonly SliceChange[]
  readonly remove: readonly EndpointSlice[]
}

export interface SliceChange {
  readonly before: EndpointSlice
  readonly after: EndpointSlice
}

/** The writes after which the slices hold exactly these endpoints. */
export function planSlices(
  template: SliceTemplate,
  groups: readonly SliceGroup[],
  existing: readonly EndpointSlice[],
): SlicePlan {
  const staying = existing.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  const own = staying.filter((slice) => isOwnedBy(template.owner, slice))
  const foreign = staying.filter((slice) => !isOwnedBy(template.owner, slice))
  const unplaced = byGroup(own)
  const plans = groups.map((group) => {
    const key = groupKey(group)
    const slices = unplaced.get(key) ?? []
    unplaced.delete(key)
    return planGroup(template, group, slices)
  })
  const unwanted = [...unplaced.values()].flat()
  const plan = {
    create: plans.flatMap(({ create }) => create),
    change: plans.flatMap(({ change }) => change),
    remove: [...plans.flatMap(({ remove }) => remove), ...unwanted],
  }
  const { create, change, remove } = recycled(template, withPlaceholders(template, plan, own))
  return { create, change, remove: [...remove, ...foreign] }
}

export function isNothingToWrite({ create, change, remove }: SlicePlan): boolean {
  return create.length + change.length + remove.length === 0
}

/** The plan with the trigger time recorded on each written slice. */
export function triggeredAt({ create, change, remove }: SlicePlan, time: string | undefined): SlicePlan {
  const marked = (slice: EndpointSlice): EndpointSlice => {
    const { annotations: before, ...metadata } = slice.metadata
    const annotations = withTriggerTime(before, time)
    return { ...slice, metadata: Object.keys(annotations).length > 0 ? { ...metadata, annotations } : metadata }
  }
  return {
    create: create.map(marked),
    change: change.map(({ before, after }) => ({ before, after: marked(after) })),
    remove,
  }
}

function planGroup(template: SliceTemplate, group: SliceGroup, existing: readonly EndpointSlice[]): SlicePlan {
  const isOutdated = (slice: EndpointSlice) => !isLabeled(template, slice)
  const packing = packSlices(existing, group.endpoints, template.mostEndpoints, isOutdated)
  return {
    create: packing.added.map((endpoints) => newSlice(template, group, endpoints)),
    change: packing.kept
      .filter(({ isChanged }) => isChanged)
      .map(({ slice, endpoints }) => ({ before: slice, after: filled(template, slice, group.ports, endpoints) })),
    remove: packing.emptied,
  }
}

/** Readers wait for a slice of each Service: an empty one tells them that there are no endpoints. */
function withPlaceholders(template: SliceTemplate, plan: SlicePlan, own: readonly EndpointSlice[]): SlicePlan {
  const going = new Set(plan.remove)
  const missing = template.placeholders.filter((addressType) => {
    const stay = own.some((slice) => slice.addressType === addressType && !going.has(slice))
    return !stay && !plan.create.some((slice) => slice.addressType === addressType)
  })
  const kept = missing.map((addressType) =>
    plan.remove.find((slice) => slice.addressType === addressType && isPlaceholder(template, slice)),
  )
  const create = missing.filter((_, index) => kept[index] === undefined)
  return {
    ...plan,
    create: [
      ...plan.create,
      ...create.map((addressType) => newSlice(template, { addressType, ports: [], endpoints: [] }, [])),
    ],
    remove: plan.remove.filter((slice) => !kept.includes(slice)),
  }
}

/** Where one slice would be deleted and another created, one is updated instead. */
function recycled(template: SliceTemplate, { create, change, remove }: SlicePlan): SlicePlan {
  const free = [...remove]
  const created: EndpointSlice[] = []
  const changed: SliceChange[] = []
  for (const wanted of create) {
    const index = free.findIndex(({ addressType }) => addressType === wanted.addressType)
    const [before] = index < 0 ? [] : free.splice(index, 1)
    if (before === undefined) created.push(wanted)
    else changed.push({ before, after: filled(template, before, wanted.ports ?? [], wanted.endpoints ?? []) })
  }
  return { create: created, change: [...change, ...changed], remove: free }
}

function newSlice(
  { owner, labels, annotations }: SliceTemplate,
  { addressType, ports }: SliceGroup,
  endpoints: readonly Endpoint[],
): EndpointSlice {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      generateName: `${owner.metadata.name}-`,
      namespace: owner.metadata.namespace ?? '',
      labels,
      ...(annotations && { annotations }),
      ownerReferences: [controllerReference(owner)],
    },
    addressType,
    endpoints: orNull(endpoints),
    ports: orNull(ports),
  }
}

function filled(
  { labels, annotations }: SliceTemplate,
  slice: EndpointSlice,
  ports: readonly EndpointPort[],
  endpoints: readonly Endpoint[],
): EndpointSlice {
  const metadata = { ...slice.metadata, labels, ...(annotations && { annotations }) }
  return { ...slice, metadata, endpoints: orNull(endpoints), ports: orNull(ports) }
}

/** As Kubernetes shows an empty list in a slice. */
function orNull<T>(list: readonly T[]): readonly T[] | null {
  return list.length === 0 ? null : list
}

/** Computes the key of each slice once: there may be many slices, with many ports each. */
function byGroup(slices: readonly EndpointSlice[]): Map<string, EndpointSlice[]> {
  const groups = new Map<string, EndpointSlice[]>()
  for (const slice of slices) {
    const key = groupKey(slice)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [slice])
    else group.push(slice)
  }
  return groups
}

/** Endpoints with the same key can share a slice. */
function groupKey({ addressType, ports }: Pick<EndpointSlice, 'addressType' | 'ports'>): string {
  const keys = (ports ?? []).map(({ name = '', port, protocol = 'TCP', appProtocol = '' }) =>
    JSON.stringify([name, port ?? null, protocol, appProtocol]),
  )
  return [addressType, ...keys.sort()].join()
}

function isPlaceholder(template: SliceTemplate, slice: EndpointSlice): boolean {
  return (slice.endpoints ?? []).length === 0 && (slice.ports ?? []).length === 0 && isLabeled(template, slice)
}

function isLabeled({ labels, annotations }: SliceTemplate, { metadata }: EndpointSlice): boolean {
  const { [triggerTimeAnnotation]: _, ...noted } = metadata.annotations ?? {}
  return deepEqual(metadata.labels ?? {}, labels) && deepEqual(noted, annotations ?? noted)
}

function isOwnedBy({ metadata }: KubeObject, slice: EndpointSlice): boolean {
  return controllerIn(slice.metadata)?.uid === metadata.uid
}
