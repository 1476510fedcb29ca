import { ApiError } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import type { NodeSync } from '../../api/tenant-config/types.ts'
import type { Node } from '../../api/types/core-v1.ts'
import { timestamp } from '../../base/clock.ts'
import type { Informer } from '../../client/contract.ts'
import { saysGone } from '../../client/says-gone.ts'
import type { ObjectName } from '../../patches/contract.ts'
import type { Next } from '../../reconcile/reconciler.ts'
import type { TextMap, Trouble } from '../contract.ts'
import { commitImport } from '../imports/commit.ts'
import { importedLabel, isImport, isImportOf } from '../names/import-marks.ts'
import { printName } from '../names/names.ts'
import { valueHash } from '../plan/hash.ts'
import { NotYet, ReadAgain, syncFailureOf } from '../run/failures/failure.ts'
import type { KindParts, ServedKind } from '../run/kind-parts.ts'
import { mayList } from '../run/may-list.ts'
import { type ObjectProgress, ObjectQueue } from '../run/object-queue.ts'
import type { RunningSync } from '../run/served-run.ts'
import { WriteLimit } from '../run/writes/write-limit.ts'
import type { UseOfNode } from './contract.ts'
import { keptNode } from './kept-node.ts'
import { NodeLeases } from './node-leases.ts'
import { isCordonedByTenant, type NodeWrite, nodeCause, planNode } from './plan-node.ts'
import { shownNode } from './shown-node.ts'

export interface NodeParts
  extends Pick<KindParts, 'virtual' | 'host' | 'observer' | 'mayWrite' | 'log' | 'clock' | 'elapsed'> {
  readonly config: NodeSync
  readonly useOf: (node: string) => UseOfNode
  /** Called when cordons of the tenant may have ended. */
  readonly uncordoned: () => void
  /** Called with the reason why no nodes are shown. */
  readonly withoutRight: (trouble: Trouble) => void
}

const keepsChanging: Trouble = {
  reason: 'KeepsChanging',
  message: 'another client changes this node after every write, so it is written less and less often',
}

const askAgainMs = 1_000
const withoutRightMs = 60_000

/** Shows nodes of the host in the virtual cluster, in one direction. */
export class NodeSyncer implements RunningSync {
  readonly #parts: NodeParts
  readonly #virtual: Informer
  readonly #objects: ObjectQueue
  readonly #limit = new WriteLimit()
  readonly #leases: NodeLeases
  /** Kept up to date, because each plan of each Pod needs it. */
  readonly #cordoned = new Set<string>()
  #host: Informer | undefined
  #isWithoutRight = false
  #retry: NodeJS.Timeout | undefined

  constructor(parts: NodeParts) {
    this.#parts = parts
    const { virtual } = parts
    this.#leases = new NodeLeases(virtual.client)
    this.#virtual = virtual.client.informer(virtual.type, { labelSelector: `${importedLabel}=${nodeCause}` })
    this.#objects = new ObjectQueue({
      look: (name) => this.#bringInStep(name),
      config: () => parts.config,
      failed: (name, trouble) => this.#failed(name, trouble),
      handled: parts.observer.handled,
      elapsed: parts.elapsed,
      clock: parts.clock,
    })
    void this.#start()
  }

  get progress(): ObjectProgress {
    return this.#objects
  }

  get trouble(): string | undefined {
    if (this.#isWithoutRight) return this.#missingRight.message
    return this.#virtual.trouble ?? this.#host?.trouble
  }

  /** Whether both sides were read. */
  get isKnown(): boolean {
    return this.#objects.isBegun
  }

  /** Nodes that the tenant has cordoned. */
  get cordoned(): ReadonlySet<string> {
    return this.#cordoned
  }

  /** A Pod was assigned to a node, or has left it. */
  enqueue(node: string): void {
    if (this.#objects.isBegun) this.#objects.add(placeOfNode(node))
  }

  /** When it resolves, the node is shown if possible. */
  async show(node: string): Promise<void> {
    const place = placeOfNode(node)
    if (this.#isWithoutRight || this.#virtual.get(place) !== undefined) return
    if (!this.#objects.isBegun) throw nodesUnknown()
    try {
      await this.#bringInStep(place)
    } catch (error) {
      // Pods also run where their node cannot be shown.
      if (syncFailureOf(error).type !== 'trouble') throw error
      this.enqueue(node)
    }
  }

  async stop(): Promise<void> {
    clearTimeout(this.#retry)
    this.#virtual.stop()
    this.#host?.stop()
    await this.#objects.stop()
  }

  async #start(): Promise<void> {
    const isAllowed = await this.#isAllowed()
    if (this.#objects.signal.aborted) return
    if (isAllowed === undefined) return this.#startLater(askAgainMs)
    if (!isAllowed) return this.#goWithout()
    this.#isWithoutRight = false
    try {
      await this.#follow()
    } catch {
      return
    }
    this.#objects.begin()
    this.#parts.uncordoned()
  }

  /** Undefined: a server cannot be reached. */
  async #isAllowed(): Promise<boolean | undefined> {
    const { config, virtual, host } = this.#parts
    const asked = config.mode === 'none' ? [virtual] : [virtual, host]
    const answers = await Promise.all(asked.map((each) => this.#mayList(each)))
    return answers.includes(undefined) ? undefined : !answers.includes(false)
  }

  async #mayList({ client, type }: ServedKind): Promise<boolean | undefined> {
    try {
      return await mayList(client, type, undefined, this.#objects.signal)
    } catch (error) {
      return error instanceof ApiError && syncFailureOf(error).type !== 'unreachable' ? false : undefined
    }
  }

  /** Nodes already shown stay: none is removed because it cannot be read. */
  #goWithout(): void {
    if (!this.#isWithoutRight && this.#parts.config.mode !== 'none') this.#parts.withoutRight(this.#missingRight)
    this.#isWithoutRight = true
    this.#startLater(withoutRightMs)
  }

  get #missingRight(): Trouble {
    const { mode } = this.#parts.config
    const message = `sync.fromHost.nodes.mode is ${mode}, and the tenant may not list nodes: no nodes are shown; run tenant create --upgrade as an administrator of the host, or set the mode to none`
    return { reason: 'NodesNotShown', message }
  }

  #startLater(pauseMs: number): void {
    this.#retry = setTimeout(() => void this.#start(), pauseMs).unref()
  }

  /** Nothing is decided before both sides are known. */
  async #follow(): Promise<void> {
    const { config, host } = this.#parts
    if (config.mode !== 'none') this.#host = host.client.informer(host.type, { keep: keptNode })
    await Promise.all([this.#virtual.whenSynced(), this.#host?.whenSynced()])
    this.#virtual.onChange(({ before, after }) => {
      const { name = '' } = (after ?? before)?.metadata ?? {}
      if (after !== undefined && isCordonedByTenant(after as Node)) this.#cordoned.add(name)
      else if (this.#cordoned.delete(name)) this.#parts.uncordoned()
    })
    for (const informer of [this.#virtual, this.#host]) {
      informer?.onChange(({ before, after }) => this.#changed(after ?? before))
    }
  }

  /** Most nodes of a host do not concern the tenant. */
  #changed(node: KubeObject | undefined): void {
    const place = placeOfNode(node?.metadata.name ?? '')
    if (this.#importAt(place) !== undefined || this.#isWanted(place.name)) this.#objects.add(place)
  }

  #isWanted(node: string): boolean {
    if (this.#parts.config.mode === 'none') return false
    return this.#isUsed(node) || (this.#parts.useOf(node) !== 'none' && this.#importAt(placeOfNode(node)) !== undefined)
  }

  /** Decided by what the host reports. */
  #isUsed(node: string): boolean {
    const { config, useOf } = this.#parts
    return (config.mode === 'selected' && this.#isSelected(node)) || useOf(node) === 'copy'
  }

  /** A node stays for Pods that still name it. Marks that a tenant forged do not contain the uid of the host's node. */
  #mayShow(place: ObjectName, source: Node): boolean {
    if (this.#isUsed(place.name)) return true
    const there = this.#importAt(place)
    return there !== undefined && isImportOf(there, source)
  }

  #isSelected(node: string): boolean {
    const found = this.#host?.get(placeOfNode(node))
    const { labels = {} } = found?.metadata ?? {}
    return (
      found !== undefined && Object.entries(this.#parts.config.labels).every(([key, value]) => labels[key] === value)
    )
  }

  #importAt(place: ObjectName): Node | undefined {
    const node = this.#virtual.get(place)
    return node !== undefined && isImport(node) ? (node as Node) : undefined
  }

  async #bringInStep(place: ObjectName): Promise<Next> {
    const { config, clock } = this.#parts
    const found = this.#isWanted(place.name) ? await this.#read(place) : undefined
    const source = found && this.#mayShow(place, found) ? found : undefined
    const there = this.#importAt(place)
    const plan = planNode(source, there, { labels: config.labels, now: timestamp(clock.now()) })
    if (plan.action === 'nothing') {
      if (source === undefined || there === undefined) this.#forget(place)
      else await this.#settle(place, there)
      return 'done'
    }
    if (this.#mustPause(place, causeOf(source, config.labels))) return 'done'
    await this.#write(place, plan)
    return 'again'
  }

  async #settle(place: ObjectName, node: Node): Promise<void> {
    if (this.#parts.mayWrite()) await this.#leases.keep(node, this.#objects.signal)
    this.#objects.states.set(printName(place), 'in-step')
  }

  /** A node is removed only if the host itself reports that it was deleted. */
  async #read(place: ObjectName): Promise<Node | undefined> {
    const { client, type } = this.#parts.host
    const known = this.#host?.get(place)
    if (known !== undefined) return known as Node
    try {
      return keptNode(await client.get(type, place, this.#objects.signal)) as Node
    } catch (error) {
      if (saysGone(error, place)) return undefined
      throw error
    }
  }

  #mustPause(place: ObjectName, cause: string): boolean {
    const name = printName(place)
    const nowMs = this.#parts.elapsed.now()
    const pauseMs = this.#limit.pauseMs(name, cause, nowMs)
    if (pauseMs === 0) {
      this.#limit.wrote(name, cause, nowMs)
      return false
    }
    this.#objects.addAfter(place, pauseMs)
    this.#objects.states.set(name, 'failing', keepsChanging)
    return true
  }

  async #write(place: ObjectName, plan: NodeWrite): Promise<void> {
    const { virtual, mayWrite, observer, clock } = this.#parts
    if (!mayWrite()) throw new ReadAgain('another replica leads now')
    const { signal } = this.#objects
    if (plan.action === 'update status') {
      this.#virtual.learn(await virtual.client.updateStatus(virtual.type, plan.node, signal))
    } else {
      const side = { ...virtual, informer: this.#virtual }
      await commitImport({ action: plan.action, virtual: plan.node }, { virtual: side, cause: nodeCause, signal })
    }
    const verb = plan.action === 'update status' ? 'update' : plan.action
    observer.wrote('virtual', verb)
    this.#objects.states.wrote(printName(place), { side: 'virtual', verb, atMs: clock.now() })
  }

  #forget(place: ObjectName): void {
    this.#leases.forget(place.name)
    this.#limit.forget(printName(place))
    this.#objects.states.forget(printName(place))
  }

  #failed(place: ObjectName, trouble: Trouble): void {
    this.#parts.log.warn('a node is not shown as it is', { node: place.name, ...trouble })
    this.#parts.observer.trouble(this.#importAt(place), trouble)
  }
}

function placeOfNode(name: string): ObjectName {
  return { namespace: '', name }
}

export function nodesUnknown(): NotYet {
  return new NotYet({ reason: 'WaitsForNode', message: 'which nodes the host has is not known yet' })
}

/** Repeated writes for the same cause mean that another client undoes them. */
function causeOf(source: Node | undefined, labels: TextMap): string {
  return source === undefined ? '' : valueHash(shownNode(source, labels))
}
