import { type Bounds, boundsOf } from './bounds.ts'
import {
  hasEnded,
  isLive,
  isReady,
  revisionOf,
  type Seen,
  type Sight,
  takenMark,
  versionAsked,
  versionOfPod,
} from './history.ts'
import type { World } from './world.ts'

interface Rollout {
  /** The bounds of the generations that controllers may still act on, the latest last. */
  bounds: Bounds[]
  /** Whether the workload was complete, and only its template and the allowed unavailability have changed since. */
  wasReached: boolean
  isComplete: boolean
  /** Pods that were ready and were deleted by others than controllers; a controller may not know it yet. */
  readonly lost: Set<string>
}

const kinds = ['Deployment', 'StatefulSet']

/** How many Pods of Deployments and StatefulSets may exist, and how many must be ready. */
export class RolloutRules {
  readonly #world: World
  readonly #rollouts = new Map<string, Rollout>()

  constructor(world: World) {
    this.#world = world
  }

  judge(sight: Sight, before: Seen | undefined): readonly string[] {
    const { object, type } = sight
    if (kinds.includes(object.kind) && type === 'DELETED') this.#rollouts.delete(object.metadata.uid)
    const workload = this.#workloadOf(object)
    if (workload === undefined) return []
    const rollout = this.#rolloutOf(workload)
    if (object === workload) noteSpec(rollout, object)
    const found = object.kind === 'Pod' ? this.#judgePod(workload, rollout, sight, before) : []
    if (object === workload) this.#forgetLost(workload, rollout)
    this.#settle(workload, rollout)
    return found
  }

  #workloadOf(object: Seen): Seen | undefined {
    if (object.kind !== 'Pod' && object.kind !== 'ReplicaSet') {
      return kinds.includes(object.kind) ? this.#world.get(object.metadata.uid) : undefined
    }
    const workload = this.#world.workloadOf(object)
    return workload !== undefined && kinds.includes(workload.kind) ? workload : undefined
  }

  #rolloutOf({ metadata }: Seen): Rollout {
    const known = this.#rollouts.get(metadata.uid)
    if (known !== undefined) return known
    const rollout: Rollout = { bounds: [], wasReached: false, isComplete: false, lost: new Set() }
    this.#rollouts.set(metadata.uid, rollout)
    return rollout
  }

  #judgePod(workload: Seen, rollout: Rollout, { type, object }: Sight, before: Seen | undefined): readonly string[] {
    if (type === 'ADDED') return this.#judgeNew(workload, rollout, object)
    const wasReady = before !== undefined && isReady(before)
    if (!wasReady || (type !== 'DELETED' && isReady(object))) return []
    if (!isRemovedByController(type, object)) {
      rollout.lost.add(object.metadata.uid)
      return []
    }
    return this.#judgeRemoved(workload, rollout, object)
  }

  #judgeNew(workload: Seen, { bounds }: Rollout, pod: Seen): readonly string[] {
    const pods = this.#world.podsOf(workload.metadata.uid)
    // Surplus Pods of a StatefulSet are deleted one after the other, and have their own ordinals.
    const live = workload.kind === 'StatefulSet' ? 0 : pods.filter(isLive).length
    const most = Math.max(...bounds.map((each) => each.most))
    const others = pods.filter((each) => !hasEnded(each) && versionOfPod(each) !== versionOfPod(pod))
    const isRecreated = workload.spec?.strategy?.type === 'Recreate'
    return [
      ...(live > most ? [`${told(workload, pod)}: ${live} Pods, and ${most} are allowed`] : []),
      ...(isRecreated && others.length > 0
        ? [`${told(workload, pod)}: came before all of another template had gone`]
        : []),
    ]
  }

  #judgeRemoved(workload: Seen, { bounds, wasReached, lost }: Rollout, pod: Seen): readonly string[] {
    if (!wasReached || workload.metadata.deletionTimestamp !== undefined) return []
    const ready = this.#world.podsOf(workload.metadata.uid).filter(isReady).length
    const least = Math.min(...bounds.map((each) => each.least))
    if (ready + lost.size >= least) return []
    return [`${told(workload, pod)}: removed, so that ${ready} are ready, and there have to be ${least}`]
  }

  /** A status is written at the end of a reconcile: from then on, the controller knows of the lost Pods. */
  #forgetLost(workload: Seen, { lost }: Rollout): void {
    const ready = this.#world.podsOf(workload.metadata.uid).filter(isReady).length
    const sets = this.#setsOf(workload)
    if ((workload.status?.availableReplicas ?? 0) <= ready && sets.every(isSettled)) lost.clear()
  }

  #setsOf({ kind, metadata }: Seen): readonly Seen[] {
    return kind === 'Deployment' ? this.#world.setsOf(metadata.uid) : []
  }

  /** Removes the bounds that controllers have caught up with. */
  #settle(workload: Seen, rollout: Rollout): void {
    const pods = this.#world.podsOf(workload.metadata.uid)
    const observed = workload.status?.observedGeneration ?? 0
    const sets = this.#setsOf(workload)
    if (sets.every(hasObserved)) rollout.bounds = rollout.bounds.filter(({ generation }) => generation >= observed)
    const { replicas = 1 } = workload.spec ?? {}
    const live = pods.filter(isLive)
    rollout.isComplete =
      hasObserved(workload) &&
      sets.every(isSettled) &&
      live.length === replicas &&
      live.every((each) => isReady(each) && versionOfPod(each) === versionAsked(workload))
    if (rollout.isComplete) rollout.wasReached = true
  }
}

function noteSpec(rollout: Rollout, workload: Seen): void {
  const bounds = boundsOf(workload)
  const last = rollout.bounds.at(-1)
  if (last?.generation === bounds.generation) return
  rollout.bounds.push(bounds)
  // Pods of both templates are deleted when a rollout is scaled down, in Kubernetes as well.
  if (last !== undefined && last.replicas !== bounds.replicas && !rollout.isComplete) rollout.wasReached = false
}

function isRemovedByController(type: string, { metadata }: Seen): boolean {
  const isTold = type === 'DELETED' || metadata.deletionTimestamp !== undefined
  return isTold && metadata.annotations?.[takenMark] === undefined
}

function hasObserved({ metadata, status }: Seen): boolean {
  return status?.observedGeneration === metadata.generation
}

function isSettled(set: Seen): boolean {
  return hasObserved(set) && (set.status?.replicas ?? 0) === (set.spec?.replicas ?? 1)
}

function told(workload: Seen, pod: Seen): string {
  return `${revisionOf(pod)}: ${workload.kind} ${workload.metadata.name}, Pod ${pod.metadata.name}`
}
