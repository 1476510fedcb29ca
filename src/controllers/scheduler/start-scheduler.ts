import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import { relativeKey } from '../../registry/storage-key.ts'
import { OwnedObjects } from '../ownership/owned-objects.ts'
import type { MayWrite } from '../run/leading.ts'
import { scheduledFactsFrom, schedulerName } from './scheduled-facts.ts'
import { Scheduler } from './scheduler.ts'

export interface SchedulerKinds {
  readonly pods: ResourceContext
  readonly nodes: ResourceContext
  readonly namespaces: ResourceContext
  readonly events: ResourceContext
}

/** Starts when all existing Pods are known. */
export function startScheduler(kinds: SchedulerKinds, report: ReportError, mayWrite: MayWrite): Controller {
  const podsKnown = new OwnedObjects({
    context: kinds.pods,
    read: scheduledFactsFrom,
    unreadable: (document, error) => report(schedulerName, relativeKey(document), error),
  })
  let isStopped = false
  let scheduler: Scheduler | undefined
  const start = async (): Promise<void> => {
    await podsKnown.loaded
    if (!isStopped) scheduler = new Scheduler({ ...kinds, podsKnown, report, mayWrite })
  }
  const started = start().catch((error: unknown) => report(schedulerName, 'start', error))
  return {
    stop: async () => {
      isStopped = true
      await scheduler?.stop()
      podsKnown.stop()
      await started
    },
  }
}
