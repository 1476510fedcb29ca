import { boundsOf } from './bounds.ts'
import { isReady, revisionOf, type Seen, type Sight } from './history.ts'
import type { World } from './world.ts'

/** Each Pod of a StatefulSet is unique, and with OrderedReady they are created one after the other. */
export class IdentityRules {
  readonly #world: World
  /** Names of each set that have been ready. */
  readonly #wereReady = new Map<string, Set<string>>()
  /** The highest number of Pods that a set has asked for and may not have reached yet. */
  readonly #most = new Map<string, number>()

  constructor(world: World) {
    this.#world = world
  }

  judge({ type, object }: Sight): readonly string[] {
    if (object.kind === 'StatefulSet') this.#noteSet(object)
    if (object.kind !== 'Pod' || type === 'DELETED') return []
    const set = this.#world.workloadOf(object)
    if (set?.kind !== 'StatefulSet') return []
    if (isReady(object)) this.#wereReadyIn(set).add(object.metadata.name)
    return type === 'ADDED' ? this.#judgeNew(set, object) : []
  }

  #judgeNew(set: Seen, pod: Seen): readonly string[] {
    const text = `${revisionOf(pod)}: StatefulSet ${set.metadata.name}, Pod ${pod.metadata.name}`
    const ordinal = ordinalOf(pod)
    const pods = this.#world.podsOf(set.metadata.uid)
    const same = pods.filter((each) => each !== pod && ordinalOf(each) === ordinal)
    const most = this.#most.get(set.metadata.uid) ?? 0
    return [
      ...(same.length > 0 ? [`${text}: another Pod has this identity`] : []),
      ...(ordinal >= most ? [`${text}: ${most} are asked for`] : []),
      ...this.#missingBefore(set, ordinal).map((name) => `${text}: came before ${name} was ready`),
    ]
  }

  /**
   * A Pod that was ready may have been removed since: then it is created again, and later ones need not wait for it.
   */
  #missingBefore(set: Seen, ordinal: number): readonly string[] {
    if (set.spec?.podManagementPolicy === 'Parallel') return []
    const names = Array.from({ length: ordinal }, (_, index) => `${set.metadata.name}-${index}`)
    return names.filter((name) => !this.#wereReadyIn(set).has(name))
  }

  #wereReadyIn({ metadata }: Seen): Set<string> {
    const names = this.#wereReady.get(metadata.uid) ?? new Set()
    this.#wereReady.set(metadata.uid, names)
    return names
  }

  #noteSet(set: Seen): void {
    const { uid, generation = 0 } = set.metadata
    const { most } = boundsOf(set)
    const isSettled = set.status?.observedGeneration === generation
    this.#most.set(uid, isSettled ? most : Math.max(most, this.#most.get(uid) ?? 0))
  }
}

function ordinalOf({ metadata }: Seen): number {
  return Number(metadata.name.slice(metadata.name.lastIndexOf('-') + 1))
}
