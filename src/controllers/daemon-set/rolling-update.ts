import type { PodFacts } from '../pods/pod-facts.ts'
import { type DaemonPlace, type DaemonSetState, daemonLimits, isPodAvailable, isUpdated, wantedCount } from './state.ts'

/** The changes for a new template. */
export interface DaemonRollout {
  readonly create: readonly string[]
  readonly remove: readonly PodFacts[]
}

/** A Node and its remaining Pods: at most one old and one new. */
interface Pair {
  readonly place: DaemonPlace
  readonly updated: PodFacts | undefined
  readonly old: PodFacts | undefined
}

/** Every place is in order: it has one Pod, or an old and a new one during a surge. */
export function planRollout(state: DaemonSetState, places: readonly DaemonPlace[]): DaemonRollout {
  const isOld = (pod: PodFacts) => !pod.isBeingDeleted && !isUpdated(pod, state.hash)
  const isRolling = state.daemonSet.spec.updateStrategy.type === 'RollingUpdate'
  if (!isRolling || !places.some(({ pods }) => pods.some(isOld))) return { create: [], remove: [] }
  const { maxSurge, maxUnavailable } = daemonLimits(state.daemonSet, wantedCount(places))
  const pairs = places.filter(({ pods }) => pods.length > 0).map((place) => pairOf(state, place))
  return maxSurge === 0 ? replaced(state, pairs, maxUnavailable) : surged(state, pairs, maxSurge)
}

/** Old Pods that do not work are removed immediately; working ones only while fewer than allowed are unavailable. */
function replaced(state: DaemonSetState, pairs: readonly Pair[], maxUnavailable: number): DaemonRollout {
  const works = (pod: PodFacts | undefined) => pod !== undefined && isPodAvailable(state, pod)
  const unavailable = pairs.filter(({ updated, old }) => !works(updated) && !works(old)).length
  const old = pairs.flatMap((pair) => (pair.old === undefined ? [] : [pair.old]))
  const mayGo = Math.max(0, maxUnavailable - unavailable)
  return { create: [], remove: [...old.filter((pod) => !works(pod)), ...old.filter(works).slice(0, mayGo)] }
}

/**
 * A new Pod is created beside an old one, on at most `maxSurge` Nodes at a time; immediately if the old one does not
 * work. A Node that is no longer wanted loses its Pod when enough others work.
 */
function surged(state: DaemonSetState, pairs: readonly Pair[], maxSurge: number): DaemonRollout {
  const works = (pod: PodFacts) => isPodAvailable(state, pod)
  const isWanted = ({ place }: Pair) => place.fit === 'runs'
  const alone = pairs.filter(({ updated, old }) => updated === undefined && old !== undefined)
  const surging = pairs.filter(({ updated, old }) => updated !== undefined && old !== undefined).length
  const available = pairs.filter(({ updated, old }) => [old ?? updated].some((pod) => pod !== undefined && works(pod)))
  const spare = available.length - pairs.filter(isWanted).length
  const oldOf = (some: readonly Pair[]) => some.flatMap(({ old }) => (old === undefined ? [] : [old]))
  const unwanted = oldOf(alone.filter((pair) => !isWanted(pair)))
  const wanted = alone.filter(isWanted)
  const broken = wanted.filter(({ old }) => old !== undefined && !works(old))
  const working = wanted.filter(({ old }) => old !== undefined && works(old))
  const next = [...broken, ...working.slice(0, Math.max(0, maxSurge - surging))]
  return {
    create: next.map(({ place }) => place.node),
    remove: [...unwanted.filter((pod) => !works(pod)), ...unwanted.filter(works).slice(0, Math.max(0, spare))],
  }
}

function pairOf({ hash }: DaemonSetState, place: DaemonPlace): Pair {
  const staying = place.pods.filter(({ isBeingDeleted }) => !isBeingDeleted)
  return {
    place,
    updated: staying.find((pod) => isUpdated(pod, hash)),
    old: staying.find((pod) => !isUpdated(pod, hash)),
  }
}
