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

export function revisionOf(replicaSet: ReplicaSet): number {
  return numberIn(replicaSet, revisionAnnotation) ?? 0
}

/** The current ReplicaSet with a revision above all older ones. Its previous revision is kept as history. */
export function withRevision(replicaSet: ReplicaSet, deployment: Deployment, older: readonly ReplicaSet[]): ReplicaSet {
  const revision = older.reduce((most, each) => Math.max(most, revisionOf(each)), 0) + 1
  const before = replicaSet.metadata.annotations ?? {}
  const inherited = Object.entries(deployment.metadata.annotations ?? {}).filter(([name]) => !ownAnnotations.has(name))
  const annotations = { ...before, ...Object.fromEntries(inherited), ...revised(replicaSet, revision) }
  return { ...replicaSet, metadata: { ...replicaSet.metadata, annotations } }
}

/** An annotation that is not a revision is left alone. */
function revised(replicaSet: ReplicaSet, revision: number): Annotations {
  const before = replicaSet.metadata.annotations ?? {}
  if ((before[revisionAnnotation] ?? '') === '') return { [revisionAnnotation]: String(revision) }
  const old = numberIn(replicaSet, revisionAnnotation)
  if (old === undefined || old >= revision) return {}
  return { [revisionAnnotation]: String(revision), [historyAnnotation]: historyWith(before[historyAnnotation], old) }
}

/** Drops the oldest entries if the history gets too long. Text written by users may be as long as annotations can be. */
function historyWith(history = '', revision: number): string {
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
