import type { Container, PodSpec } from '../types/core-v1.ts'

/** Users of their own for Pods, which 1.32 knows and leaves switched off, and with them mounts of all of `/proc`. */
export function withoutOwnUsers({ hostUsers: _, ...spec }: PodSpec): PodSpec {
  return {
    ...spec,
    containers: spec.containers?.map(withDefaultProcMount) ?? null,
    ...(spec.initContainers && { initContainers: spec.initContainers.map(withDefaultProcMount) }),
  }
}

function withDefaultProcMount(container: Container): Container {
  const { securityContext } = container
  if (securityContext?.procMount === undefined) return container
  return { ...container, securityContext: { ...securityContext, procMount: 'Default' } }
}
