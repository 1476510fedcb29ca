import type { Container, PodSpec, Volume } from '../types/core-v1.ts'
import { isSidecar } from './sidecar.ts'

/**
 * What 1.32 knows and leaves switched off: users of their own for pods and with them mounts of all of `/proc`, claims of
 * devices, resources of whole pods, images as volumes, bundles of trust, and two policies about groups and labels.
 */
export function withoutDisabled(spec: PodSpec): PodSpec {
  const { hostUsers: _, resourceClaims: __, resources: ___, volumes: ____, ...rest } = spec
  const images = new Set((spec.volumes ?? []).filter(({ image }) => image !== undefined).map(({ name }) => name))
  const each = (container: Container) => confined(container, images)
  return {
    ...rest,
    ...withVolumes(spec),
    containers: spec.containers?.map(each) ?? null,
    ...(spec.initContainers && { initContainers: spec.initContainers.map((one) => withoutResizing(each(one))) }),
    ...(spec.ephemeralContainers && { ephemeralContainers: spec.ephemeralContainers.map(each) }),
    ...withoutPolicies(spec),
  }
}

function withVolumes({ volumes }: PodSpec): Pick<PodSpec, 'volumes'> {
  if (volumes === undefined) return {}
  const kept = volumes.filter(({ image }) => image === undefined).map(withoutBundles)
  return kept.length === 0 ? {} : { volumes: kept }
}

function withoutBundles(volume: Volume): Volume {
  const { projected } = volume
  if (!projected?.sources?.some(({ clusterTrustBundle }) => clusterTrustBundle !== undefined)) return volume
  const sources = projected.sources.map(({ clusterTrustBundle: _, ...source }) => source)
  return { ...volume, projected: { ...projected, sources } }
}

function withoutPolicies({ securityContext }: PodSpec): Pick<PodSpec, 'securityContext'> {
  if (securityContext === undefined) return {}
  const { supplementalGroupsPolicy: _, seLinuxChangePolicy: __, ...context } = securityContext
  return { securityContext: context }
}

function confined(container: Container, images: ReadonlySet<string>): Container {
  const { securityContext, resources } = container
  const { claims, ...amounts } = resources
  return {
    ...withoutMounts(container, images),
    ...(claims && { resources: amounts }),
    ...(securityContext?.procMount !== undefined && { securityContext: { ...securityContext, procMount: 'Default' } }),
  }
}

/** A container that ends before the others start is not resized. Sidecars are, on hosts that know how. */
function withoutResizing(container: Container): Container {
  if (container.resizePolicy === undefined || isSidecar(container)) return container
  const { resizePolicy: _, ...rest } = container
  return rest
}

function withoutMounts(container: Container, images: ReadonlySet<string>): Container {
  if (images.size === 0 || container.volumeMounts === undefined) return container
  const { volumeMounts, ...rest } = container
  const kept = volumeMounts.filter(({ name }) => !images.has(name))
  return kept.length === 0 ? rest : { ...rest, volumeMounts: kept }
}
