import type { KubeObject } from '../api/object.ts'
import { firstServing, type ReadList } from '../registry/aggregation/read-list.ts'
import type { ResourceContext } from '../registry/context.ts'
import type { Controller, ReportError } from '../registry/controllers/controller.ts'
import type { StoredDocument } from '../registry/document.ts'
import { relativeKey } from '../registry/storage-key.ts'
import { AutoscalerController, autoscalerFactsFrom } from './autoscaler/autoscaler-controller.ts'
import { CronJobController, type CronJobControllerOptions, cronJobFactsFrom } from './cron-job/cron-job-controller.ts'
import { daemonNodeFrom } from './daemon-set/daemon-node.ts'
import { DaemonSetController, daemonSetFactsFrom } from './daemon-set/daemon-set-controller.ts'
import { DeploymentController, deploymentFactsFrom } from './deployment/deployment-controller.ts'
import { budgetFactsFrom, DisruptionController } from './disruption/disruption-controller.ts'
import { EndpointSliceController } from './endpoints/endpoint-slice-controller.ts'
import { EndpointsController } from './endpoints/endpoints-controller.ts'
import { serviceFactsFrom } from './endpoints/service-facts.ts'
import { sliceFactsFrom, sliceGroups } from './endpoints/slice-facts.ts'
import { SliceMirroringController } from './endpoints/slice-mirroring-controller.ts'
import { FinishedJobs } from './job/finished-jobs.ts'
import { JobController, type JobControllerOptions } from './job/job-controller.ts'
import { jobFactsFrom } from './job/job-facts.ts'
import { OrphanedPods } from './job/orphaned-pods.ts'
import { NodeHealth } from './nodes/node-health.ts'
import { NodeRegistration } from './nodes/node-registration.ts'
import { NodeTaints } from './nodes/node-taints.ts'
import { NodeTtl } from './nodes/node-ttl.ts'
import { TaintEviction } from './nodes/taint-eviction.ts'
import type { Owned } from './ownership/owned.ts'
import { OwnedObjects } from './ownership/owned-objects.ts'
import { PodCollector } from './pod-collector/pod-collector.ts'
import { podFactsFrom, podGroups } from './pods/pod-facts.ts'
import { ReplicaController, replicatedFactsFrom } from './replicas/replica-controller.ts'
import { replicatedByController, replicatedBySet } from './replicas/replicated.ts'
import { revisionFactsFrom } from './revisions/revision-facts.ts'
import type { MayWrite } from './run/leading.ts'
import { StatefulSetController, statefulSetFactsFrom } from './stateful-set/stateful-set-controller.ts'
import { EphemeralClaims } from './volumes/ephemeral-claims.ts'
import { VolumeBinder, type VolumeBinderOptions } from './volumes/volume-binder.ts'
import { claimFactsFrom, volumeFactsFrom, volumeGroups, waitingGroups } from './volumes/volume-facts.ts'
import { VolumeProtection } from './volumes/volume-protection.ts'

/** The kinds that workload controllers read and write. */
export interface WorkloadKinds {
  readonly pods: ResourceContext
  readonly replicationControllers: ResourceContext
  readonly replicaSets: ResourceContext
  readonly deployments: ResourceContext
  readonly jobs: ResourceContext
  readonly cronJobs: ResourceContext
  readonly statefulSets: ResourceContext
  readonly daemonSets: ResourceContext
  readonly controllerRevisions: ResourceContext
  readonly services: ResourceContext
  readonly endpoints: ResourceContext
  readonly endpointSlices: ResourceContext
  readonly nodes: ResourceContext
  readonly leases: ResourceContext
  readonly budgets: ResourceContext
  readonly autoscalers: ResourceContext
  readonly volumes: ResourceContext
  readonly claims: ResourceContext
  readonly storageClasses: ResourceContext
  readonly events: ResourceContext
}

export interface WorkloadOptions {
  readonly report: ReportError
  readonly mayWrite: MayWrite
  /** `the host's`: Pods of a virtual cluster run on nodes of the host, which it need not show. */
  readonly nodes: 'own' | "the host's"
  /** Whether claims get volumes of the host, and none of this cluster. Absent: never. */
  readonly claimsAreSynced?: () => boolean
  /** Beside a kube-controller-manager that manages workloads, only the remaining controllers run. */
  readonly acts: 'alone' | 'beside kube-controller-manager'
  /** Reads metrics APIs for autoscalers. Absent: there are none. */
  readonly readMetrics?: ReadList
}

/**
 * Starts all workload controllers. They share what is known about Pods and ReplicaSets, and begin when everything that
 * exists is known.
 */
export function startWorkloads(kinds: WorkloadKinds, options: WorkloadOptions): Controller {
  const { report } = options
  const known = knownOf(kinds, report)
  const all = Object.values(known)
  let isStopped = false
  let controllers: readonly Controller[] = []
  const start = async (): Promise<void> => {
    await Promise.all(all.map(({ loaded }) => loaded))
    if (!isStopped) controllers = controllersOf(kinds, known, options)
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
    pods: knownAbout(kinds.pods, podFactsFrom, report, podGroups),
    replicaSets: knownAbout(kinds.replicaSets, replicatedFactsFrom(replicatedBySet), report),
    replicationControllers: knownAbout(
      kinds.replicationControllers,
      replicatedFactsFrom(replicatedByController),
      report,
    ),
    deployments: knownAbout(kinds.deployments, deploymentFactsFrom, report),
    jobs: knownAbout(kinds.jobs, jobFactsFrom, report),
    cronJobs: knownAbout(kinds.cronJobs, cronJobFactsFrom, report),
    statefulSets: knownAbout(kinds.statefulSets, statefulSetFactsFrom, report),
    daemonSets: knownAbout(kinds.daemonSets, daemonSetFactsFrom, report),
    controllerRevisions: knownAbout(kinds.controllerRevisions, revisionFactsFrom, report),
    nodes: knownAbout(kinds.nodes, daemonNodeFrom, report),
    services: knownAbout(kinds.services, serviceFactsFrom, report),
    endpointSlices: knownAbout(kinds.endpointSlices, sliceFactsFrom, report, sliceGroups),
    budgets: knownAbout(kinds.budgets, budgetFactsFrom, report),
    autoscalers: knownAbout(kinds.autoscalers, autoscalerFactsFrom, report),
    volumes: knownAbout(kinds.volumes, volumeFactsFrom, report, volumeGroups),
    claims: knownAbout(kinds.claims, claimFactsFrom, report, waitingGroups),
  }
}

function knownAbout<Facts extends Owned>(
  context: ResourceContext,
  read: (object: KubeObject) => Facts,
  report: ReportError,
  groupsOf: (facts: Facts) => readonly string[] = () => [],
): OwnedObjects<Facts> {
  const unreadable = (document: StoredDocument, error: unknown) =>
    report('workloads', `${context.kind.kind} ${relativeKey(document)}`, error)
  return new OwnedObjects({ context, read, unreadable, groupsOf })
}

function controllersOf(kinds: WorkloadKinds, known: Known, options: WorkloadOptions): readonly Controller[] {
  const own = clusterControllersOf(kinds, known, options)
  return options.acts === 'alone' ? [...own, ...workloadControllersOf(kinds, known, options)] : own
}

/** Controllers for finished Pods, nodes and volumes, which depend on whose the nodes are. */
function clusterControllersOf(
  kinds: WorkloadKinds,
  known: Known,
  { report, mayWrite, nodes: whoseNodes, claimsAreSynced = () => false }: WorkloadOptions,
): readonly Controller[] {
  const { pods, nodes, leases, events } = kinds
  const shared = { pods, podsKnown: known.pods, events, report, mayWrite }
  const areOwn = whoseNodes === 'own'
  const knownNodes = { nodes, nodesKnown: known.nodes, report, mayWrite }
  return [
    new PodCollector({ ...shared, nodesKnown: areOwn ? known.nodes : undefined }),
    new NodeTaints({ ...knownNodes, evicts: areOwn }),
    new TaintEviction({ ...shared, nodes }),
    ...(areOwn
      ? [
          new NodeHealth({ ...shared, nodes, leases }),
          new NodeTtl(knownNodes),
          new NodeRegistration({ ...knownNodes, events }),
        ]
      : []),
    ...volumeControllers(kinds, known, { claimsAreSynced, report, mayWrite }),
  ]
}

/** Left to kube-controller-manager where there is one. */
function workloadControllersOf(
  kinds: WorkloadKinds,
  known: Known,
  { report, mayWrite, nodes, readMetrics = firstServing([]) }: WorkloadOptions,
): readonly Controller[] {
  const { pods, replicaSets, replicationControllers, deployments, jobs, cronJobs, budgets, autoscalers, events } = kinds
  const shared = { pods, podsKnown: known.pods, events, report, mayWrite }
  const history = { revisions: kinds.controllerRevisions, revisionsKnown: known.controllerRevisions }
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
    new StatefulSetController({
      ...shared,
      ...history,
      statefulSets: kinds.statefulSets,
      statefulSetsKnown: known.statefulSets,
      claims: kinds.claims,
    }),
    new DaemonSetController({
      ...shared,
      ...history,
      daemonSets: kinds.daemonSets,
      daemonSetsKnown: known.daemonSets,
      nodesKnown: known.nodes,
    }),
    ...jobControllers({ ...shared, jobs, jobsKnown: known.jobs, cronJobs, cronJobsKnown: known.cronJobs }),
    new DisruptionController({ ...shared, budgets, budgetsKnown: known.budgets }),
    new AutoscalerController({ ...shared, autoscalers, autoscalersKnown: known.autoscalers, readMetrics }),
    ...endpointControllers(kinds, known, { report, mayWrite, mayLackNodes: nodes !== 'own' }),
  ]
}

function endpointControllers(
  { services, endpoints, endpointSlices: slices, events }: WorkloadKinds,
  known: Known,
  { report, mayWrite, mayLackNodes }: Pick<WorkloadOptions, 'report' | 'mayWrite'> & { readonly mayLackNodes: boolean },
): readonly Controller[] {
  const shared = { services, servicesKnown: known.services, podsKnown: known.pods, events, report, mayWrite }
  const slicesKnown = known.endpointSlices
  return [
    new EndpointsController({ ...shared, endpoints }),
    new EndpointSliceController({ ...shared, slices, slicesKnown, nodesKnown: known.nodes, mayLackNodes }),
    new SliceMirroringController({ ...shared, endpoints, slices, slicesKnown }),
  ]
}

function volumeControllers(
  { pods, volumes, claims, storageClasses, events }: WorkloadKinds,
  known: Known,
  { claimsAreSynced, report, mayWrite }: Pick<VolumeBinderOptions, 'claimsAreSynced' | 'report' | 'mayWrite'>,
): readonly Controller[] {
  const knownVolumes = {
    volumes,
    volumesKnown: known.volumes,
    claims,
    claimsKnown: known.claims,
    podsKnown: known.pods,
  }
  return [
    new VolumeBinder({ ...knownVolumes, storageClasses, events, claimsAreSynced, report, mayWrite }),
    new VolumeProtection({ ...knownVolumes, report, mayWrite }),
    new EphemeralClaims({ ...knownVolumes, pods, events, report, mayWrite }),
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
