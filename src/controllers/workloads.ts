import type { ResourceContext } from '../registry/context.ts'
import type { Controller, ReportError } from '../registry/controllers/controller.ts'
import { DeploymentController, deploymentFactsFrom } from './deployment/deployment-controller.ts'
import { OwnedObjects } from './ownership/owned-objects.ts'
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
  readonly events: ResourceContext
}

/** Every controller of workloads. What they know of Pods and ReplicaSets is kept once. */
export function startWorkloads(kinds: WorkloadKinds, report: ReportError, mayWrite: MayWrite): Controller {
  const { pods, events, replicaSets, replicationControllers, deployments } = kinds
  const podsKnown = new OwnedObjects(pods, podFactsFrom)
  const replicaSetsKnown = new OwnedObjects(replicaSets, replicatedFactsFrom(replicatedBySet))
  const replicationControllersKnown = new OwnedObjects(
    replicationControllers,
    replicatedFactsFrom(replicatedByController),
  )
  const deploymentsKnown = new OwnedObjects(deployments, deploymentFactsFrom)
  const known = [podsKnown, replicaSetsKnown, replicationControllersKnown, deploymentsKnown]
  const shared = { pods, podsKnown, events, report, mayWrite }
  const controllers: readonly Controller[] = [
    new ReplicaController({
      ...shared,
      controller: 'replication-controller',
      owners: replicationControllers,
      ownersKnown: replicationControllersKnown,
      read: replicatedByController,
    }),
    new ReplicaController({
      ...shared,
      controller: 'replicaset-controller',
      owners: replicaSets,
      ownersKnown: replicaSetsKnown,
      read: replicatedBySet,
    }),
    new DeploymentController({ ...shared, replicaSets, replicaSetsKnown, deployments, deploymentsKnown }),
  ]
  return {
    stop: async () => {
      await Promise.all(controllers.map((controller) => controller.stop()))
      for (const each of known) each.stop()
    },
  }
}
