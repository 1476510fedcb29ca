import type { RequestTarget } from '../../api/access.ts'
import { allowsText, type Texts, textsWithin } from './texts.ts'

/** The targets of a grant, all of one kind. */
export type TargetPattern =
  | { readonly kind: 'management' }
  | { readonly kind: 'cluster'; readonly cluster: Texts }
  | { readonly kind: 'space'; readonly project: Texts; readonly space: Texts }
  | { readonly kind: 'virtual-cluster'; readonly project: Texts; readonly virtualCluster: Texts }

export const managementTarget: TargetPattern = { kind: 'management' }

/** Every kind of target: a grant for all of them is one grant for each. */
export const anyTarget: readonly TargetPattern[] = [
  managementTarget,
  { kind: 'cluster', cluster: undefined },
  { kind: 'space', project: undefined, space: undefined },
  { kind: 'virtual-cluster', project: undefined, virtualCluster: undefined },
]

export function allowsTarget(pattern: TargetPattern, target: RequestTarget): boolean {
  switch (target.kind) {
    case 'management':
      return pattern.kind === 'management'
    case 'cluster':
      return pattern.kind === 'cluster' && allowsText(pattern.cluster, target.cluster)
    case 'space':
      return (
        pattern.kind === 'space' &&
        allowsText(pattern.project, target.project) &&
        allowsText(pattern.space, target.space)
      )
    case 'virtual-cluster':
      return (
        pattern.kind === 'virtual-cluster' &&
        allowsText(pattern.project, target.project) &&
        allowsText(pattern.virtualCluster, target.virtualCluster)
      )
  }
}

export function targetWithin(inner: TargetPattern, outer: TargetPattern): boolean {
  switch (inner.kind) {
    case 'management':
      return outer.kind === 'management'
    case 'cluster':
      return outer.kind === 'cluster' && textsWithin(inner.cluster, outer.cluster)
    case 'space':
      return (
        outer.kind === 'space' && textsWithin(inner.project, outer.project) && textsWithin(inner.space, outer.space)
      )
    case 'virtual-cluster':
      return (
        outer.kind === 'virtual-cluster' &&
        textsWithin(inner.project, outer.project) &&
        textsWithin(inner.virtualCluster, outer.virtualCluster)
      )
  }
}
