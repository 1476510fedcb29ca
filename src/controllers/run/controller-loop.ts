import { Reconciler } from '../../reconcile/reconciler.ts'
import type { Engine } from '../../registry/context.ts'
import type { ReportError } from '../../registry/controllers/controller.ts'
import type { ObjectId } from '../../registry/document.ts'
import { caughtUp } from '../../registry/freshness.ts'
import { parseRelativeKey } from '../../registry/storage-key.ts'
import { reporting } from './report-failure.ts'

export interface ControllerLoopOptions {
  readonly controller: string
  readonly engine: Engine
  readonly reconcile: (id: ObjectId) => Promise<void>
  readonly report: ReportError
}

/** Longer timers fire immediately. */
const longestPauseMs = 3_600_000

/** Writes wait for the store: more workers than cores, so that they share its batches. */
const workers = 16

/**
 * The loop of a workload controller. A reconciliation sees every write that was acknowledged before it, including those
 * of an earlier leader.
 */
export function controllerLoop({ controller, engine, reconcile, report }: ControllerLoopOptions): Reconciler {
  return new Reconciler({
    reconcile: async (key) => {
      await caughtUp(engine)
      await reconcile(parseRelativeKey(key))
    },
    failed: reporting(controller, report),
    workers,
    measured: { metrics: engine.metrics, name: controller },
  })
}

/** Requeues the name for that time, or earlier. */
export function requeueAfter(loop: Reconciler, key: string, inMs: number): void {
  loop.addAfter(key, Math.min(Math.max(inMs, 0), longestPauseMs))
}
