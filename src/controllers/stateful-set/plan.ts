import { hasEnded, type PodFacts } from '../pods/pod-facts.ts'
import { endOrdinal, hasIdentity, isWanted, startOrdinal } from './identity.ts'
import { outdatedToRemove } from './rolling-update.ts'
import { isWorking, type OrdinalPod, type StatefulSetState } from './state.ts'

export interface StatefulSetPlan {
  /** The ordinals of Pods to create, lowest first. */
  readonly create: readonly number[]
  readonly remove: readonly PodFacts[]
  /** Pods whose labels do not identify them. */
  readonly mend: readonly OrdinalPod[]
}

/** How many are created in one reconciliation; the rest follows in the next. */
const mostPerReconcile = 500

export function planStatefulSet(state: StatefulSetState): StatefulSetPlan {
  const all = [...state.pods].map(([ordinal, pod]) => ({ ordinal, pod })).toSorted((a, b) => a.ordinal - b.ordinal)
  const replicas = all.filter(({ ordinal }) => isWanted(state.set, ordinal))
  const condemned = all.filter(({ ordinal }) => !isWanted(state.set, ordinal))
  const mend = replicas.filter(({ ordinal, pod }) => isKept(pod) && !hasIdentity(state.set, ordinal, pod))
  const isParallel = state.set.spec.podManagementPolicy === 'Parallel'
  return { mend, ...(isParallel ? planParallel : planOrdered)(state, replicas, condemned) }
}

type Steps = Pick<StatefulSetPlan, 'create' | 'remove'>

const waiting: Steps = { create: [], remove: [] }

/** One Pod at a time: the next one is created when all before it work, and deleted when all after it are gone. */
function planOrdered(
  state: StatefulSetState,
  replicas: readonly OrdinalPod[],
  condemned: readonly OrdinalPod[],
): Steps {
  const obstacle = firstObstacle(state)
  if (obstacle === 'missing') return { create: [firstMissing(state)], remove: [] }
  if (obstacle !== undefined) return hasEnded(obstacle.phase) ? removing(obstacle) : waiting
  const last = condemned.at(-1)
  if (last === undefined) return { create: [], remove: outdatedToRemove(state, replicas) }
  const works = ({ pod }: OrdinalPod) => isWorking(state, pod)
  const mayGo = hasEnded(last.pod.phase) || works(last) || condemned.slice(0, -1).every(works)
  return mayGo ? removing(last.pod) : waiting
}

/** All at once. Only a new template is still rolled out gradually. */
function planParallel(
  state: StatefulSetState,
  replicas: readonly OrdinalPod[],
  condemned: readonly OrdinalPod[],
): Steps {
  const ended = replicas.filter(({ pod }) => hasEnded(pod.phase))
  const surplus = [...condemned.toReversed(), ...ended]
    .map(({ pod }) => pod)
    .filter(({ isBeingDeleted }) => !isBeingDeleted)
  return { create: missingOrdinals(state), remove: [...surplus, ...outdatedToRemove(state, replicas)] }
}

/** The Pod with the lowest ordinal that holds up the others. */
function firstObstacle(state: StatefulSetState): PodFacts | 'missing' | undefined {
  for (let ordinal = startOrdinal(state.set); ordinal < endOrdinal(state.set); ordinal++) {
    const pod = state.pods.get(ordinal)
    if (pod === undefined) return 'missing'
    if (!isWorking(state, pod)) return pod
  }
  return undefined
}

function firstMissing(state: StatefulSetState): number {
  let ordinal = startOrdinal(state.set)
  while (state.pods.has(ordinal)) ordinal += 1
  return ordinal
}

function missingOrdinals({ set, pods }: StatefulSetState): readonly number[] {
  const missing: number[] = []
  for (let ordinal = startOrdinal(set); ordinal < endOrdinal(set) && missing.length < mostPerReconcile; ordinal++) {
    if (!pods.has(ordinal)) missing.push(ordinal)
  }
  return missing
}

function isKept({ phase, isBeingDeleted }: PodFacts): boolean {
  return !isBeingDeleted && !hasEnded(phase)
}

function removing(pod: PodFacts): Steps {
  return { create: [], remove: pod.isBeingDeleted ? [] : [pod] }
}
