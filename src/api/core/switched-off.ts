import type { Container, PodSpec } from '../types/core-v1.ts'

/** User namespaces for Pods, which are disabled in 1.32, and with them unmasked `/proc` mounts. */
export function withoutOwnUsers(given: PodSpec): PodSpec {
  const { hostUsers, ...spec } = given
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])]
  if (hostUsers === undefined && spec.containers !== undefined && !containers.some(setsProcMount)) return given
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
