import type { KubeObject } from '../api/object.ts'
import type { ResourceContext } from '../registry/context.ts'
import type { Controller, ReportError } from '../registry/controllers/controller.ts'
import type { StoredDocument } from '../registry/document.ts'
import { relativeKey } from '../registry/storage-key.ts'
import { CronJobController, type CronJobControllerOptions, cronJobFactsFrom } from './cron-job/cron-job-controller.ts'
import { DeploymentController, deploymentFactsFrom } from './deployment/deployment-controller.ts'
import { FinishedJobs } from './job/finished-jobs.ts'
import { JobController, type JobControllerOptions } from './job/job-controller.ts'
import { jobFactsFrom } from './job/job-facts.ts'
import { OrphanedPods } from './job/orphaned-pods.ts'
import type { Owned } from './ownership/owned.ts'
import { OwnedObjects } from './ownership/owned-objects.ts'
import { EndedPods } from './pods/ended-pods.ts'
import { podFactsFrom } from './pods/pod-facts.ts'
import { ReplicaController, replicatedFactsFrom } from './replicas/replica-controller.ts'
import { replicatedByController, replicatedBySet } from './replicas/replicated.ts'
import type { MayWrite } from './run/leading.ts'

/** The kinds that the controllers of workloads read and write. */
export interface WorkloadKinds {
  readonly pods: ResourceContext
  readonly replicationControllers: ResourceContext
  readonly replicaSets: ResourceContext
  readonly deployments: ResourceContext
  readonly jobs: ResourceContext
  readonly cronJobs: ResourceContext
  readonly events: ResourceContext
}

/**
 * Every controller of workloads. What they know of Pods and ReplicaSets is kept once, and they begin when all that is there is
 * known.
 */
export function startWorkloads(kinds: WorkloadKinds, report: ReportError, mayWrite: MayWrite): Controller {
  const known = knownOf(kinds, report)
  const all = Object.values(known)
  let isStopped = false
  let controllers: readonly Controller[] = []
  const start = async (): Promise<void> => {
    await Promise.all(all.map(({ loaded }) => loaded))
    if (!isStopped) controllers = controllersOf(kinds, known, report, mayWrite)
  }
  const started = start().catch((error: unknown) => report('workloads', 'start', error))
  return {
    stop: async () => {
      isStopped = true
      await Promise.all(controllers.map((controller) => controller.stop()))
      for (const each of all) each.stop()
      await started
    },
  }
}

type Known = ReturnType<typeof knownOf>

function knownOf(kinds: WorkloadKinds, report: ReportError) {
  return {
    pods: knownAbout(kinds.pods, podFactsFrom, report),
    replicaSets: knownAbout(kinds.replicaSets, replicatedFactsFrom(replicatedBySet), report),
    replicationControllers: knownAbout(
      kinds.replicationControllers,
      replicatedFactsFrom(replicatedByController),
      report,
    ),
    deployments: knownAbout(kinds.deployments, deploymentFactsFrom, report),
    jobs: knownAbout(kinds.jobs, jobFactsFrom, report),
    cronJobs: knownAbout(kinds.cronJobs, cronJobFactsFrom, report),
  }
}

function knownAbout<Facts extends Owned>(
  context: ResourceContext,
  read: (object: KubeObject) => Facts,
  report: ReportError,
): OwnedObjects<Facts> {
  const unreadable = (document: StoredDocument, error: unknown) =>
    report('workloads', `${context.kind.kind} ${relativeKey(document)}`, error)
  return new OwnedObjects({ context, read, unreadable })
}

function controllersOf(
  { pods, replicaSets, replicationControllers, deployments, jobs, cronJobs, events }: WorkloadKinds,
  known: Known,
  report: ReportError,
  mayWrite: MayWrite,
): readonly Controller[] {
  const shared = { pods, podsKnown: known.pods, events, report, mayWrite }
  return [
    new ReplicaController({
      ...shared,
      controller: 'replication-controller',
      owners: replicationControllers,
      ownersKnown: known.replicationControllers,
      read: replicatedByController,
    }),
    new ReplicaController({
      ...shared,
      controller: 'replicaset-controller',
      owners: replicaSets,
      ownersKnown: known.replicaSets,
      read: replicatedBySet,
    }),
    new DeploymentController({
      ...shared,
      replicaSets,
      replicaSetsKnown: known.replicaSets,
      deployments,
      deploymentsKnown: known.deployments,
    }),
    ...jobControllers({ ...shared, jobs, jobsKnown: known.jobs, cronJobs, cronJobsKnown: known.cronJobs }),
    new EndedPods({ pods, podsKnown: known.pods, report, mayWrite }),
  ]
}

function jobControllers(options: JobControllerOptions & CronJobControllerOptions): readonly Controller[] {
  return [
    new JobController(options),
    new OrphanedPods(options),
    new FinishedJobs(options),
    new CronJobController(options),
  ]
}
