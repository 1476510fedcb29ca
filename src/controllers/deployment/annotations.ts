import type { Deployment, ReplicaSet } from '../../api/types/apps-v1.ts'

export const revisionAnnotation = 'deployment.kubernetes.io/revision'
const historyAnnotation = 'deployment.kubernetes.io/revision-history'
export const desiredAnnotation = 'deployment.kubernetes.io/desired-replicas'
export const mostAnnotation = 'deployment.kubernetes.io/max-replicas'

type Annotations = Readonly<Record<string, string>>

/** Annotations that a ReplicaSet does not take over from its Deployment. */
const ownAnnotations: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  'deprecated.deployment.rollback.to',
  revisionAnnotation,
  historyAnnotation,
  desiredAnnotation,
  mostAnnotation,
])

const longestHistory = 2_000

/** The number in an annotation; undefined if it is missing or invalid. */
export function numberIn({ metadata }: Pick<ReplicaSet, 'metadata'>, annotation: string): number | undefined {
  const text = metadata.annotations?.[annotation]
  const number = text !== undefined && /^-?[0-9]+$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(number) ? number : undefined
}

/** A revision is an integer of 64 bits, so it may be beyond the safe integers of JavaScript. */
export function revisionOf(replicaSet: ReplicaSet): bigint {
  return validRevision(replicaSet) ?? 0n
}

function validRevision({ metadata }: ReplicaSet): bigint | undefined {
  const text = metadata.annotations?.[revisionAnnotation] ?? ''
  if (!/^-?[0-9]{1,20}$/.test(text)) return undefined
  const revision = BigInt(text)
  return BigInt.asIntN(64, revision) === revision ? revision : undefined
}

/** The current ReplicaSet with a revision above all older ones. Its previous revision is kept as history. */
export function withRevision(replicaSet: ReplicaSet, deployment: Deployment, older: readonly ReplicaSet[]): ReplicaSet {
  const before = replicaSet.metadata.annotations ?? {}
  const inherited = Object.entries(deployment.metadata.annotations ?? {}).filter(([name]) => !ownAnnotations.has(name))
  const annotations = {
    ...before,
    ...Object.fromEntries(inherited),
    ...revised(replicaSet, newestRevision(older) + 1n),
  }
  return { ...replicaSet, metadata: { ...replicaSet.metadata, annotations } }
}

function newestRevision(replicaSets: readonly ReplicaSet[]): bigint {
  let newest = 0n
  for (const revision of replicaSets.map(revisionOf)) if (revision > newest) newest = revision
  return newest
}

/** An annotation that is not a revision is left alone. */
function revised(replicaSet: ReplicaSet, revision: bigint): Annotations {
  const before = replicaSet.metadata.annotations ?? {}
  if ((before[revisionAnnotation] ?? '') === '') return { [revisionAnnotation]: String(revision) }
  const old = validRevision(replicaSet)
  if (old === undefined || old >= revision) return {}
  return { [revisionAnnotation]: String(revision), [historyAnnotation]: historyWith(before[historyAnnotation], old) }
}

/** Drops the oldest entries if the history gets too long. Text written by users may be as long as annotations can be. */
function historyWith(history = '', revision: bigint): string {
  const all = history === '' ? String(revision) : `${history},${revision}`
  if (all.length <= longestHistory) return all
  const end = all.slice(-longestHistory - 1)
  return end.slice(end.indexOf(',') + 1)
}

/** Records what the Deployment wanted when the ReplicaSet got its size, which later shows whether it was scaled. */
export function withSize(
  replicaSet: ReplicaSet,
  size: number,
  limits: { readonly desired: number; readonly most: number },
): ReplicaSet {
  const annotations = {
    ...replicaSet.metadata.annotations,
    [desiredAnnotation]: String(limits.desired),
    [mostAnnotation]: String(limits.most),
  }
  return {
    ...replicaSet,
    metadata: { ...replicaSet.metadata, annotations },
    spec: { ...replicaSet.spec, replicas: size },
  }
}
