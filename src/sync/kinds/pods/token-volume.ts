import type { Container, PodSpec } from '../../../api/types/core-v1.ts'
import { tokenVolumePrefix } from '../../../registry/admission/token-volume.ts'

/** The spec without the volume that admission has added for the token of the account, which the host cannot give. */
export function withoutTokenVolume(spec: PodSpec): PodSpec {
  const added = new Set(
    (spec.volumes ?? [])
      .filter(({ name, projected }) => name.startsWith(tokenVolumePrefix) && projected !== undefined)
      .map(({ name }) => name),
  )
  if (added.size === 0) return spec
  const unmounted = (container: Container): Container => ({
    ...container,
    ...(container.volumeMounts && { volumeMounts: container.volumeMounts.filter(({ name }) => !added.has(name)) }),
  })
  return {
    ...spec,
    volumes: (spec.volumes ?? []).filter(({ name }) => !added.has(name)),
    containers: spec.containers?.map(unmounted) ?? null,
    ...(spec.initContainers && { initContainers: spec.initContainers.map(unmounted) }),
  }
}
