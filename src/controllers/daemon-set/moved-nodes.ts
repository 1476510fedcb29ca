import { Pace } from '../../base/pace.ts'
import type { OwnedChange } from '../ownership/owned-objects.ts'
import { type DaemonNode, isSamePlace } from './daemon-node.ts'
import type { DaemonPlacement } from './placement.ts'

/** With more changes than this, all DaemonSets are reconciled instead. */
export const mostMoved = 100

export interface MovedNodesOptions<DaemonSetFacts> {
  readonly daemonSets: () => Iterable<DaemonSetFacts>
  readonly concern: (daemonSet: DaemonSetFacts) => void
  readonly signal: AbortSignal
}

/** Finds the DaemonSets that a change of a Node affects, in steps: each of them may have thousands of conditions. */
export class MovedNodes<DaemonSetFacts extends { readonly fitOf: DaemonPlacement }> {
  readonly #options: MovedNodesOptions<DaemonSetFacts>
  #waiting: OwnedChange<DaemonNode>[] = []
  #isBusy = false

  constructor(options: MovedNodesOptions<DaemonSetFacts>) {
    this.#options = options
  }

  add(change: OwnedChange<DaemonNode>): void {
    const { before, after } = change
    if (before !== undefined && after !== undefined && isSamePlace(before, after)) return
    if (this.#waiting.length >= mostMoved) this.#concernAll()
    else this.#waiting.push(change)
    if (!this.#isBusy) void this.#compare()
  }

  #concernAll(): void {
    this.#waiting = []
    for (const each of this.#options.daemonSets()) this.#options.concern(each)
  }

  async #compare(): Promise<void> {
    const { daemonSets, concern, signal } = this.#options
    const pace = new Pace()
    this.#isBusy = true
    for (let change = this.#waiting.shift(); change !== undefined; change = this.#waiting.shift()) {
      for (const each of [...daemonSets()]) {
        await pace.step()
        if (signal.aborted) return
        if (fitOn(each, change.before) !== fitOn(each, change.after)) concern(each)
      }
    }
    this.#isBusy = false
  }
}

function fitOn({ fitOf }: { readonly fitOf: DaemonPlacement }, node: DaemonNode | undefined) {
  return node === undefined ? 'never' : fitOf(node)
}
