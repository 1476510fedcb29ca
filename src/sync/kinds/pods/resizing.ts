import type { Container, Pod, PodSpec, ResourceRequirements } from '../../../api/types/core-v1.ts'
import type { CopyPart, ObjectFields } from '../../contract.ts'
import { valueHash } from '../../plan/hash.ts'
import { printLastSync, readLastSync } from '../../plan/last-sync.ts'

/** The resources of each container, which `resize` changes while the Pod runs. */
export function containerResources({ spec }: ObjectFields): unknown {
  const { containers, initContainers } = spec as PodSpec
  return [...(containers ?? []), ...(initContainers ?? [])].map(({ name, resources }) => [name, resources ?? {}])
}

/**
 * The containers of the copy with their current resources, if these differ from what was last written. Changes that the
 * host made to resources at creation are its decision and not undone.
 */
export function resizedOnHost(wanted: ObjectFields, copy: Pod): CopyPart | undefined {
  const memory = readLastSync(copy)
  const resources = valueHash(containerResources(wanted))
  if (memory.resources === undefined || memory.resources === resources) return undefined
  const { containers, initContainers } = wanted.spec as PodSpec
  const { spec } = copy
  return {
    subresource: 'resize',
    body: {
      spec: {
        containers: withResources(spec.containers ?? [], containers ?? []),
        ...(spec.initContainers && { initContainers: withResources(spec.initContainers, initContainers ?? []) }),
      },
    },
    lastSync: printLastSync({ ...memory, resources }),
  }
}

/** A container that the host added keeps its resources. */
function withResources(found: readonly Container[], wanted: readonly Container[]): readonly Container[] {
  const byName = new Map(wanted.map(({ name, resources }) => [name, resources]))
  return found.map((container) => {
    const resources = byName.get(container.name)
    return resources === undefined ? container : { ...container, resources: overFound(container.resources, resources) }
  })
}

/** Values that the host filled in stay: limits and requests can be changed but not removed. */
function overFound(found: ResourceRequirements | undefined, wanted: ResourceRequirements): ResourceRequirements {
  const limits = { ...found?.limits, ...wanted.limits }
  const requests = { ...found?.requests, ...wanted.requests }
  return {
    ...found,
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(Object.keys(requests).length > 0 && { requests }),
  }
}
