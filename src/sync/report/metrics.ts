import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { CompiledPatch, PatchCounters } from '../../patches/contract.ts'
import type { Refusal } from '../policy/contract.ts'
import type { KindObserver } from '../run/kind-parts.ts'
import type { ObjectProgress } from '../run/object-queue.ts'
import type { SyncState } from '../run/states.ts'

export interface MeasuredKind {
  readonly id: string
  readonly progress: ObjectProgress
}

export interface MeasuringObserver extends Pick<KindObserver, 'wrote' | 'handled'> {
  trouble(reason: string): void
  refused(refusals: readonly Refusal[]): void
}

const states: readonly SyncState[] = ['in-step', 'waiting', 'failing']
const durationBuckets = [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5]

/** Metrics of the sync. Gauges are computed when the metrics are scraped. */
export class SyncMetrics {
  readonly registry = new Registry()
  readonly #registers = [this.registry]
  readonly #writes = new Counter({
    name: 'tenant_sync_writes_total',
    help: 'Writes that a server has acknowledged.',
    labelNames: ['kind', 'side', 'verb'],
    registers: this.#registers,
  })
  readonly #troubles = new Counter({
    name: 'tenant_sync_errors_total',
    help: 'Times that an object could not be brought in step, by reason.',
    labelNames: ['kind', 'reason'],
    registers: this.#registers,
  })
  readonly #refusals = new Counter({
    name: 'tenant_sync_refused_total',
    help: 'Fields, labels and annotations that the policy has kept from the host, once for each change of an object.',
    labelNames: ['kind', 'rule'],
    registers: this.#registers,
  })
  readonly #durations = new Histogram({
    name: 'tenant_sync_duration_seconds',
    help: 'Time to look at one object and to write what it needs.',
    labelNames: ['kind'],
    buckets: durationBuckets,
    registers: this.#registers,
  })
  readonly #patches = new Counter({
    name: 'tenant_patch_results_total',
    help: 'What patches did: fields matched and changed, paths not found, failures.',
    labelNames: ['kind', 'patch', 'result'],
    registers: this.#registers,
  })

  constructor(kinds: () => Iterable<MeasuredKind>) {
    const registers = this.#registers
    new Gauge({
      name: 'tenant_sync_objects',
      help: 'Objects by how they are doing.',
      labelNames: ['kind', 'state'],
      registers,
      collect() {
        this.reset()
        for (const { id, progress } of kinds()) {
          for (const state of states) this.set({ kind: id, state }, progress.states.count(state))
        }
      },
    })
    new Gauge({
      name: 'tenant_sync_queue_length',
      help: 'Objects that wait to be looked at, those that pause after a failure included.',
      labelNames: ['kind'],
      registers,
      collect() {
        this.reset()
        for (const { id, progress } of kinds()) this.set({ kind: id }, progress.length)
      },
    })
  }

  observerOf(kind: string): MeasuringObserver {
    const duration = this.#durations.labels(kind)
    return {
      wrote: (side, verb) => this.#writes.inc({ kind, side, verb }),
      handled: (seconds) => duration.observe(seconds),
      refused: (refusals) => {
        for (const { rule } of refusals) this.#refusals.inc({ kind, rule })
      },
      trouble: (reason) => this.#troubles.inc({ kind, reason }),
    }
  }

  countPatches(kind: string, patches: readonly CompiledPatch[], counters: readonly PatchCounters[]): void {
    for (const [index, { pathText: patch }] of patches.entries()) {
      const counter = counters[index]
      if (counter === undefined) continue
      for (const [result, count] of Object.entries(counter)) {
        if (count > 0) this.#patches.inc({ kind, patch, result }, count)
      }
    }
  }
}
