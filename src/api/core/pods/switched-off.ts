import type { Container, PodSpec } from '../../types/core-v1.ts'

/**
 * What is disabled in 1.32: user namespaces for Pods and with them unmasked `/proc` mounts, and resources of a whole
 * Pod.
 */
export function withoutDisabled(given: PodSpec): PodSpec {
  const { hostUsers, resources, ...spec } = given
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])]
  const isPlain = hostUsers === undefined && resources === undefined && spec.containers !== undefined
  if (isPlain && !containers.some(setsProcMount)) return given
  return {
    ...spec,
    containers: spec.containers?.map(withDefaultProcMount) ?? null,
    ...(spec.initContainers && { initContainers: spec.initContainers.map(withDefaultProcMount) }),
  }
}

function withDefaultProcMount(container: Container): Container {
  const { securityContext } = container
  if (!setsProcMount(container)) return container
  return { ...container, securityContext: { ...securityContext, procMount: 'Default' } }
}

function setsProcMount({ securityContext }: Container): boolean {
  return securityContext?.procMount !== undefined
}
