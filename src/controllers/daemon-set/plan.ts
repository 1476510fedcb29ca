import { hasEnded, type PodFacts } from '../pods/pod-facts.ts'
import { planRollout } from './rolling-update.ts'
import { allowsSurge, type DaemonPlace, type DaemonSetState, isPodAvailable, isUpdated, placesOf } from './state.ts'

/** A finished Pod that is removed. */
export interface EndedDaemon {
  readonly node: string
  readonly pod: PodFacts
}

export interface DaemonSetPlan {
  /** Names of the Nodes that get a Pod. */
  readonly create: readonly string[]
  readonly remove: readonly PodFacts[]
  /** The finished ones among them, which get an Event. */
  readonly ended: readonly EndedDaemon[]
  /** Nodes with a failed Pod that is not replaced yet. */
  readonly waiting: readonly string[]
}

/** How many Pods are created, and how many removed, in one reconciliation; the rest follows in the next. */
const mostPerReconcile = 250

/** Each Node first gets its one Pod. A new template is rolled out only where nothing else is to be done. */
export function planDaemonSet(state: DaemonSetState): DaemonSetPlan {
  const { places, lost } = placesOf(state)
  const perNode = places.filter((place) => !isInOrder(place)).map((place) => planNode(state, place))
  const plan = together([...perNode, removing(lost.filter(isWaitingInVain))])
  const isBusy = plan.create.length + plan.remove.length > 0
  const rolledOut = isBusy ? plan : together([plan, { ...nothingToDo, ...planRollout(state, places) }])
  return { ...rolledOut, create: rolledOut.create.slice(0, mostPerReconcile), ...removedAtOnce(rolledOut) }
}

/** Its node was removed before the Pod was bound. Pods bound to a removed node are not the DaemonSet's to delete. */
function isWaitingInVain({ nodeName, isBeingDeleted }: PodFacts): boolean {
  return nodeName === '' && !isBeingDeleted
}

const nothingToDo: DaemonSetPlan = { create: [], remove: [], ended: [], waiting: [] }

/** Nearly all are, and there may be thousands. */
function isInOrder({ fit, pods: [only, second] }: DaemonPlace): boolean {
  if (fit === 'never' || only === undefined || second !== undefined) return false
  return !only.isBeingDeleted && !hasEnded(only.phase)
}

function planNode(state: DaemonSetState, place: DaemonPlace): DaemonSetPlan {
  const { node, fit, pods } = place
  if (fit === 'never') return removing(pods.filter(({ isBeingDeleted }) => !isBeingDeleted))
  if (pods.length === 0) return fit === 'runs' ? creating(node) : nothingToDo
  const staying = pods.filter(({ isBeingDeleted }) => !isBeingDeleted)
  const running = staying.filter(({ phase }) => !hasEnded(phase))
  const ended = endedOn(state, node, staying)
  return together([
    ended,
    allowsSurge(state.daemonSet) ? keptInSurge(state, place, running) : removing(running.slice(1)),
  ])
}

function endedOn({ mayReplace }: DaemonSetState, node: string, pods: readonly PodFacts[]): DaemonSetPlan {
  const ended = pods.filter(({ phase }) => hasEnded(phase))
  const going = ended.filter(({ phase }) => phase !== 'Failed' || mayReplace(node))
  return {
    ...removing(going),
    ended: going.map((pod) => ({ node, pod })),
    waiting: going.length < ended.length ? [node] : [],
  }
}

/**
 * A Pod under deletion makes room immediately. An old Pod stays until the new one works, unless the old one does not
 * work either.
 */
function keptInSurge(state: DaemonSetState, { node, fit }: DaemonPlace, running: readonly PodFacts[]): DaemonSetPlan {
  if (running.length === 0) return fit === 'runs' ? creating(node) : nothingToDo
  if (running.length === 1) return nothingToDo
  const updated = running.find((pod) => isUpdated(pod, state.hash))
  const old = running.find((pod) => !isUpdated(pod, state.hash))
  const surplus = running.filter((pod) => pod !== updated && pod !== old)
  if (updated === undefined || old === undefined) return removing(surplus)
  const isReplaced = !old.isReady || isPodAvailable(state, updated)
  return removing(isReplaced ? [...surplus, old] : surplus)
}

function creating(node: string): DaemonSetPlan {
  return { ...nothingToDo, create: [node] }
}

function removing(remove: readonly PodFacts[]): DaemonSetPlan {
  return { ...nothingToDo, remove }
}

function together(plans: readonly DaemonSetPlan[]): DaemonSetPlan {
  return {
    create: plans.flatMap(({ create }) => create),
    remove: plans.flatMap(({ remove }) => remove),
    ended: plans.flatMap(({ ended }) => ended),
    waiting: plans.flatMap(({ waiting }) => waiting),
  }
}

function removedAtOnce({ remove, ended }: DaemonSetPlan): Pick<DaemonSetPlan, 'remove' | 'ended'> {
  const now = remove.slice(0, mostPerReconcile)
  return { remove: now, ended: ended.filter(({ pod }) => now.includes(pod)) }
}
