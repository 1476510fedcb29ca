import { addedTolerations } from '../../../api/core/nodes/added-tolerations.ts'
import type { Container, Pod, PodSpec } from '../../../api/types/core-v1.ts'
import type { ObjectFields } from '../../contract.ts'

/** The part of a Pod that an update can change. The rest stays as it was created, and as the host completed it. */
export function changeable({ spec }: ObjectFields): ObjectFields {
  const { containers, initContainers, activeDeadlineSeconds, tolerations = [] } = spec as PodSpec
  const images = [...(containers ?? []), ...(initContainers ?? [])].map(({ name, image }) => [name, image])
  return { images, activeDeadlineSeconds, tolerations }
}

/** The copy's spec with these changes. Tolerations can only be added. */
export function changedSpec({ spec }: ObjectFields, copy: Pod): ObjectFields {
  const wanted = spec as PodSpec
  const { spec: current } = copy
  const found = current.tolerations ?? []
  const added = addedTolerations(found, wanted.tolerations ?? [])
  const tolerations = [...found, ...added]
  const { activeDeadlineSeconds } = wanted
  return {
    spec: {
      ...current,
      containers: withImages(current.containers ?? [], wanted.containers ?? []),
      ...(current.initContainers && {
        initContainers: withImages(current.initContainers, wanted.initContainers ?? []),
      }),
      ...(activeDeadlineSeconds !== undefined && { activeDeadlineSeconds }),
      ...(tolerations.length > 0 && { tolerations }),
    },
  }
}

/** A container that the host added keeps its image. */
function withImages(found: readonly Container[], wanted: readonly Container[]): readonly Container[] {
  const images = new Map(wanted.map(({ name, image }) => [name, image]))
  return found.map((container) => {
    const image = images.get(container.name)
    return image === undefined ? container : { ...container, image }
  })
}
