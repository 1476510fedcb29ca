import { DurationHistogram } from '../base/duration-histogram.ts'

/** Upper bounds in seconds. */
const bounds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60]

/** The result of reconciling one name. */
export type ReconcileResult = 'success' | 'requeue' | 'error'

interface Numbers {
  readonly results: Record<ReconcileResult, number>
  readonly durations: DurationHistogram
  /** Functions that count the waiting names of each running loop with this name. */
  readonly waiting: Set<() => number>
}

/** Measures one running loop. */
export interface LoopMeasure {
  reconciled(result: ReconcileResult, durationMs: number): void
  /** The loop no longer runs. Its counts stay. */
  close(): void
}

/**
 * Metrics of the control loops of one server, by the names of their controllers. The names are fixed, and few. A loop
 * that starts again, such as that of a later term, continues the counts of the previous one.
 */
export class ControllerMetrics {
  readonly #loops = new Map<string, Numbers>()
  readonly #leading = new Map<string, boolean>()

  open(name: string, waiting: () => number): LoopMeasure {
    const numbers = this.#numbersOf(name)
    numbers.waiting.add(waiting)
    return {
      reconciled: (result, durationMs) => {
        numbers.results[result]++
        numbers.durations.record(durationMs)
      },
      close: () => numbers.waiting.delete(waiting),
    }
  }

  /** Whether this replica runs the controllers of the lease. */
  setLeading(lease: string, isLeading: boolean): void {
    this.#leading.set(lease, isLeading)
  }

  /** Uses the metric names of Kubernetes and its controller libraries, so that dashboards work. */
  render(): string {
    const loops = [...this.#loops]
    const duration = 'workqueue_work_duration_seconds'
    return [
      ...described('workqueue_depth', 'gauge', 'Names that wait to be reconciled.'),
      ...loops.map(([name, { waiting }]) => `workqueue_depth{name="${name}"} ${sum(waiting)}`),
      ...described('workqueue_retries_total', 'counter', 'Names that were requeued after an error.'),
      ...loops.map(([name, { results }]) => `workqueue_retries_total{name="${name}"} ${results.error}`),
      ...described(duration, 'histogram', 'Time to reconcile one name.'),
      ...loops.flatMap(([name, { durations }]) => durations.lines(duration, `name="${name}"`)),
      ...described('controller_runtime_reconcile_total', 'counter', 'Reconciliations, by result.'),
      ...loops.flatMap(([name, { results }]) => resultLines(name, results)),
      ...described('leader_election_master_status', 'gauge', 'Whether this replica runs the controllers of a lease.'),
      ...[...this.#leading].map(([name, leads]) => `leader_election_master_status{name="${name}"} ${leads ? 1 : 0}`),
      '',
    ].join('\n')
  }

  #numbersOf(name: string): Numbers {
    const known = this.#loops.get(name)
    if (known !== undefined) return known
    const results = { success: 0, requeue: 0, error: 0 }
    const numbers: Numbers = { results, durations: new DurationHistogram(bounds), waiting: new Set() }
    this.#loops.set(name, numbers)
    return numbers
  }
}

function described(name: string, type: 'gauge' | 'counter' | 'histogram', help: string): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
}

function resultLines(name: string, results: Numbers['results']): readonly string[] {
  return Object.entries(results).map(
    ([result, count]) => `controller_runtime_reconcile_total{controller="${name}",result="${result}"} ${count}`,
  )
}

function sum(counts: Iterable<() => number>): number {
  let total = 0
  for (const count of counts) total += count()
  return total
}
