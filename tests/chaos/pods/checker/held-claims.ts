import { hasEnded, marks, type Seen } from './account.ts'

const claimKind = 'PersistentVolumeClaim'

/** A deleted claim exists as long as Pods on nodes of its own world name it. */
export function isHeld(claim: Seen, world: readonly Seen[]): boolean {
  const { namespace, name, deletionTimestamp } = claim.metadata
  if (claim.kind !== claimKind || deletionTimestamp === undefined) return false
  return world.some(
    (pod) =>
      pod.kind === 'Pod' &&
      pod.spec?.nodeName !== undefined &&
      pod.metadata.namespace === namespace &&
      claimsOf(pod).includes(name),
  )
}

/** As in a cluster, where a Pod is not scheduled with a deleted claim that others still use. */
export function waitsForClaim(pod: Seen, virtual: readonly Seen[], host: readonly Seen[]): boolean {
  if (pod.kind !== 'Pod' || pod.spec?.nodeName !== undefined || hasEnded(pod)) return false
  const { namespace = '' } = pod.metadata
  return claimsOf(pod).some((name) => {
    const claim = virtual.find((each) => each.kind === claimKind && isAt(each.metadata, namespace, name))
    if (claim !== undefined && claim.metadata.deletionTimestamp === undefined) return false
    return host.some((copy) => isCopyAt(copy, namespace, name) && isHeld(copy, host))
  })
}

function claimsOf({ spec = {} }: Seen): readonly string[] {
  return (spec.volumes ?? []).flatMap(({ persistentVolumeClaim: claim }) => (claim ? [claim.claimName] : []))
}

function isCopyAt({ kind, metadata: { annotations = {} } }: Seen, namespace: string, name: string): boolean {
  return kind === claimKind && annotations[marks.namespace] === namespace && annotations[marks.name] === name
}

function isAt(metadata: Seen['metadata'], namespace: string, name: string): boolean {
  return metadata.namespace === namespace && metadata.name === name
}
