import type { Deployment, ReplicaSet } from '../../api/types/apps-v1.ts'

export const revisionAnnotation = 'deployment.kubernetes.io/revision'
export const historyAnnotation = 'deployment.kubernetes.io/revision-history'
export const desiredAnnotation = 'deployment.kubernetes.io/desired-replicas'
export const mostAnnotation = 'deployment.kubernetes.io/max-replicas'

type Annotations = Readonly<Record<string, string>>

/** What a ReplicaSet does not take over from its Deployment. */
const ownAnnotations: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  'deprecated.deployment.rollback.to',
  revisionAnnotation,
  historyAnnotation,
  desiredAnnotation,
  mostAnnotation,
])

const longestHistory = 2_000

/** The number in an annotation; absent if there is none. */
export function numberIn({ metadata }: ReplicaSet, annotation: string): number | undefined {
  const text = metadata.annotations?.[annotation]
  return text !== undefined && /^-?[0-9]+$/.test(text) ? Number(text) : undefined
}

export function revisionOf(replicaSet: ReplicaSet): number {
  return numberIn(replicaSet, revisionAnnotation) ?? 0
}

/** The current ReplicaSet with its revision, after which all older ones come. A revision that it had before is kept as history. */
export function withRevision(replicaSet: ReplicaSet, deployment: Deployment, older: readonly ReplicaSet[]): ReplicaSet {
  const revision = older.reduce((most, each) => Math.max(most, revisionOf(each)), 0) + 1
  const before = replicaSet.metadata.annotations ?? {}
  const inherited = Object.entries(deployment.metadata.annotations ?? {}).filter(([name]) => !ownAnnotations.has(name))
  const annotations = { ...before, ...Object.fromEntries(inherited), ...revised(before, revision) }
  return { ...replicaSet, metadata: { ...replicaSet.metadata, annotations } }
}

function revised(before: Annotations, revision: number): Annotations {
  const old = before[revisionAnnotation]
  if (old !== undefined && !(Number(old) < revision)) return {}
  if (old === undefined) return { [revisionAnnotation]: String(revision) }
  return { [revisionAnnotation]: String(revision), [historyAnnotation]: historyWith(before[historyAnnotation], old) }
}

/** Without the oldest, if it gets too long. */
function historyWith(history: string | undefined, revision: string): string {
  const revisions = [...(history === undefined || history === '' ? [] : history.split(',')), revision]
  while (revisions.length > 1 && revisions.join(',').length > longestHistory) revisions.shift()
  return revisions.join(',')
}

/** Notes what the Deployment wanted when the ReplicaSet got its size, from which follows later whether it was scaled. */
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
