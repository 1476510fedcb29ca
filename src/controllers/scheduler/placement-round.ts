import type { Steps } from '../../base/steps.ts'
import type { NodePlacement } from './contract.ts'
import type { WaitingPods } from './waiting-pods.ts'

/** How many Pods without a node are retried before a less important one gets a node. */
const mostTriedAgain = 100

/** A Pod that waits for a node. */
export interface Waiting {
  readonly key: string
  readonly priority: number
}

export interface RoundOptions<Pod extends Waiting> {
  readonly waiting: WaitingPods
  /** Undefined: it no longer waits. */
  readonly podOf: (key: string) => Pod | undefined
  readonly place: (pod: Pod) => NodePlacement
  readonly decided: (pod: Pod, placement: NodePlacement) => void
  /** How often anything that placements depend on has changed. */
  readonly changeCount: () => number
}

/**
 * Decides about all waiting Pods, one in each step. Capacity that becomes free between two steps goes to the most
 * important Pod that waits for it, not to the next in line.
 */
export class PlacementRound<Pod extends Waiting> {
  readonly #options: RoundOptions<Pod>
  /** Pods that found no node. */
  #passedOver: readonly Waiting[] = []
  /** Pods that have let others go first. Each does so once, so that every round ends. */
  readonly #deferred = new Set<string>()
  #changesSeen: number

  constructor(options: RoundOptions<Pod>) {
    this.#options = options
    this.#changesSeen = options.changeCount()
  }

  *steps(): Steps<void> {
    const { waiting, podOf } = this.#options
    for (let key = waiting.take(); key !== undefined; key = waiting.take()) {
      const pod = podOf(key)
      if (pod !== undefined) this.#decide(pod)
      yield
    }
  }

  #decide(pod: Pod): void {
    const { place, decided } = this.#options
    const placement = place(pod)
    if (placement.placement === 'refuse') this.#passOver(pod)
    else if (this.#defers(pod)) return
    decided(pod, placement)
  }

  #passOver({ key, priority }: Waiting): void {
    if (this.#passedOver.length < mostTriedAgain) this.#passedOver = [...this.#passedOver, { key, priority }]
  }

  /**
   * Lets more important Pods go first that found no node before something changed: they may need what this one would
   * take.
   */
  #defers({ key, priority }: Waiting): boolean {
    const { waiting, changeCount } = this.#options
    if (this.#deferred.has(key) || changeCount() === this.#changesSeen) return false
    this.#changesSeen = changeCount()
    const overtaken = this.#passedOver.filter((other) => other.priority > priority)
    if (overtaken.length === 0) return false
    this.#passedOver = this.#passedOver.filter((other) => other.priority <= priority)
    this.#deferred.add(key)
    for (const other of [...overtaken, { key, priority }]) waiting.add(other.key, other.priority)
    return true
  }
}
