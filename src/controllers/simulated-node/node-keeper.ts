import { nodeLeaseNamespace } from '../../api/core/nodes/kubelet.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Node } from '../../api/types/core-v1.ts'
import { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import type { MayWrite } from '../run/leading.ts'
import { reporting } from '../run/report-failure.ts'
import { ControllerWriter } from '../run/writer.ts'
import { newSimulatedNode, nodeLease, refreshedNode } from './node-object.ts'
import { renewalSeconds, simulatedNodeName } from './settings.ts'

const controller = 'simulated-node'

const ownId = { namespace: '', name: simulatedNodeName }
const leaseId = { namespace: nodeLeaseNamespace, name: simulatedNodeName }

export interface NodeKeeperOptions {
  readonly nodes: ResourceContext
  readonly leases: ResourceContext
  /** The version of the kubelet, as others see it. */
  readonly version: string
  readonly report: ReportError
  readonly mayWrite: MayWrite
}

/** Maintains the simulated node, and renews its Lease. */
export class NodeKeeper implements Controller {
  readonly #options: NodeKeeperOptions
  readonly #loop: Reconciler
  readonly #writer: ControllerWriter
  #hasReported = false
  #isRenewalDue = true

  constructor(options: NodeKeeperOptions) {
    this.#options = options
    const { nodes, report, mayWrite } = options
    this.#loop = new Reconciler({
      reconcile: () => this.#keepOwn(),
      failed: reporting(controller, report),
      measured: { metrics: nodes.engine.metrics, name: controller },
    })
    this.#writer = new ControllerWriter({ controller, fieldManager: 'kubelet', signal: this.#loop.signal, mayWrite })
    this.#loop.follow(
      nodes.cache.listen((changes) => {
        if (changes.some(({ document }) => document.name === simulatedNodeName)) this.#loop.add(simulatedNodeName)
      }),
    )
    this.#loop.every(renewalSeconds * 1_000, () => {
      this.#isRenewalDue = true
      this.#loop.add(simulatedNodeName)
    })
    this.#loop.add(simulatedNodeName)
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  async #keepOwn(): Promise<void> {
    const { nodes, version } = this.#options
    const nowMs = nodes.engine.clock.now()
    if (nodes.cache.get(ownId) === undefined) await this.#writer.create(nodes, newSimulatedNode(version, nowMs))
    else if (!this.#hasReported) {
      await this.#writer.edit(nodes, ownId, (node) => refreshedNode(node as Node, version, nowMs), 'status')
    }
    this.#hasReported = true
    await this.#renew(nowMs)
  }

  async #renew(nowMs: number): Promise<void> {
    const { nodes, leases } = this.#options
    const node = nodes.cache.get(ownId)?.object
    const isMissing = leases.cache.get(leaseId) === undefined
    if (node === undefined || (!isMissing && !this.#isRenewalDue)) return
    const lease = nodeLease(node, nowMs)
    if (isMissing) await this.#writer.create(leases, lease)
    else await this.#writer.edit(leases, leaseId, (before) => renewed(before, lease))
    this.#isRenewalDue = false
  }
}

function renewed(before: KubeObject, { metadata, spec }: KubeObject): KubeObject {
  const { ownerReferences } = metadata
  return { ...before, metadata: { ...before.metadata, ...(ownerReferences && { ownerReferences }) }, spec }
}
