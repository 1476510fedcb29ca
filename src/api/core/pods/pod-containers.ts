import type { Container, EphemeralContainer, PodSpec } from '../../types/core-v1.ts'

interface StandingContainer {
  /** Its path, such as `spec.containers[0]`. */
  readonly at: string
  readonly container: Container | EphemeralContainer
}

/** Every container of a pod in the order in which Kubernetes visits them; `field` is the path of the spec. */
export function allContainers(field: string, spec: PodSpec): readonly StandingContainer[] {
  return (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((list) =>
    (spec[list] ?? []).map((container, index) => ({ at: `${field}.${list}[${index}]`, container })),
  )
}
