import type { KubeObject } from '../../../api/object.ts'
import type { Container, Pod, PodSpec, ResourceRequirements } from '../../../api/types/core-v1.ts'
import type { CopyPart, ObjectFields } from '../../contract.ts'
import { valueHash } from '../../plan/hash.ts'
import { printLastSync, readLastSync } from '../../plan/last-sync.ts'

/** What each container of a Pod may use, which `resize` changes while it runs. */
export function containerResources({ spec }: ObjectFields): unknown {
  const { containers, initContainers } = spec as PodSpec
  return [...(containers ?? []), ...(initContainers ?? [])].map(({ name, resources }) => [name, resources ?? {}])
}

/**
 * The containers of the copy with what they may use now, if that is not what was last written. What the host itself has made of
 * resources when the copy was made is its decision, and nothing to undo.
 */
export function resizedOnHost(wanted: ObjectFields, copy: KubeObject): CopyPart | undefined {
  const memory = readLastSync(copy)
  const resources = valueHash(containerResources(wanted))
  if (memory.resources === undefined || memory.resources === resources) return undefined
  const { containers, initContainers } = wanted.spec as PodSpec
  const { spec } = copy as Pod
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

/** A container that the host has added keeps what it has. */
function withResources(found: readonly Container[], wanted: readonly Container[]): readonly Container[] {
  const byName = new Map(wanted.map(({ name, resources }) => [name, resources]))
  return found.map((container) => {
    const resources = byName.get(container.name)
    return resources === undefined ? container : { ...container, resources: overFound(container.resources, resources) }
  })
}

/** What the host has filled in stays: limits and requests can be changed, and not taken away. */
function overFound(found: ResourceRequirements | undefined, wanted: ResourceRequirements): ResourceRequirements {
  const limits = { ...found?.limits, ...wanted.limits }
  const requests = { ...found?.requests, ...wanted.requests }
  return {
    ...found,
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(Object.keys(requests).length > 0 && { requests }),
  }
}
