import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import type { MayWrite } from '../run/leading.ts'
import { NodeKeeper } from './node-keeper.ts'
import type { SimulatedTimes } from './settings.ts'
import { SimulatedPods } from './simulated-pods.ts'
import { SimulatedVolumes } from './simulated-volumes.ts'

export interface SimulatedNodeKinds {
  readonly nodes: ResourceContext
  readonly leases: ResourceContext
  readonly pods: ResourceContext
  readonly volumes: ResourceContext
  readonly claims: ResourceContext
  readonly storageClasses: ResourceContext
  readonly events: ResourceContext
}

export interface SimulatedNodeOptions {
  readonly times: SimulatedTimes
  readonly version: string
  readonly report: ReportError
  readonly mayWrite: MayWrite
}

/** A node on which nothing runs, the simulated life of its Pods, and empty volumes. */
export function startSimulatedNode(
  { nodes, leases, pods, ...storage }: SimulatedNodeKinds,
  { times, version, report, mayWrite }: SimulatedNodeOptions,
): Controller {
  const controllers: readonly Controller[] = [
    new NodeKeeper({ nodes, leases, version, report, mayWrite }),
    new SimulatedPods({ pods, times, report, mayWrite }),
    new SimulatedVolumes({ ...storage, report, mayWrite }),
  ]
  return {
    stop: async () => {
      await Promise.all(controllers.map((controller) => controller.stop()))
    },
  }
}
