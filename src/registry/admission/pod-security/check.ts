import type { ObjectMeta } from '../../../api/object.ts'
import type { Container, EphemeralContainer, PodSpec, SecurityContext } from '../../../api/types/core-v1.ts'

export interface CheckedPod {
  readonly metadata: ObjectMeta
  readonly spec: PodSpec
}

export interface Violation {
  readonly reason: string
  readonly detail: string
}

/** One control of a level. `since` is the minor version of Kubernetes that introduced it. */
export interface SecurityCheck {
  readonly id: string
  readonly since: number
  /** The check of a lower level that this stricter one replaces. */
  readonly replaces?: string
  /** Looks at a Pod as that minor version did. */
  readonly find: (pod: CheckedPod, minor: number) => Violation | undefined
}

export type AnyContainer = Container | EphemeralContainer

export function containersOf({ spec }: CheckedPod): readonly AnyContainer[] {
  return [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])]
}

/** The names of the containers whose security context matches. */
export function containersWith(
  pod: CheckedPod,
  is: (context: SecurityContext, container: AnyContainer) => boolean,
): readonly string[] {
  return containersOf(pod)
    .filter((container) => is(container.securityContext ?? {}, container))
    .map(({ name }) => name)
}

/** Since 1.25, what does not exist there is not asked of Pods for Windows. */
export function isForWindows({ spec }: CheckedPod, minor: number): boolean {
  return minor >= 25 && spec.os?.name === 'windows'
}
