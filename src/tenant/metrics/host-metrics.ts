import { ApiError, isRefusal, serviceUnavailable, unreachable } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import type { EffectiveConfig } from '../../api/tenant-config/types.ts'
import type { Pod } from '../../api/types/core-v1.ts'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { nodeType, podType } from '../../client/builtin-types.ts'
import type { ListSelection, ResourceType } from '../../client/contract.ts'
import { saysGone } from '../../client/says-gone.ts'
import type { ObjectName } from '../../patches/contract.ts'
import { copySelector } from '../../sync/names/markers.ts'
import { nameOf, printName } from '../../sync/names/names.ts'
import { showsNodes } from '../../sync/nodes/shows-nodes.ts'
import { type BothClusters, placeOfCopy, readCopy } from '../pod-access/host-container.ts'
import { metricsGroup, metricsVersion } from './asked-metrics.ts'
import { shownNodeMetrics, shownPodMetrics } from './shown-metrics.ts'

export interface HostMetricsOptions extends BothClusters {
  readonly config: () => EffectiveConfig
  readonly clock: Clock
  readonly log: Log
}

const askAgainMs = 30_000

function metricsType(resource: 'pods' | 'nodes'): ResourceType {
  const kind = resource === 'pods' ? 'PodMetrics' : 'NodeMetrics'
  const namespaced = resource === 'pods'
  return { group: metricsGroup, version: metricsVersion, resource, kind, namespaced, hasStatus: false }
}

/** The host's metrics of a tenant's Pods and of the nodes it sees. */
export class HostMetrics {
  readonly #options: HostMetricsOptions
  #isServed = false
  #askedAtMs = Number.NEGATIVE_INFINITY

  constructor(options: HostMetricsOptions) {
    this.#options = options
    void this.#ask()
  }

  /** As far as known: each call may cause the host to be asked again. */
  get isServed(): boolean {
    if (!this.#options.config().sync.toHost.pods.enabled) return false
    if (this.#options.clock.now() - this.#askedAtMs > askAgainMs) void this.#ask()
    return this.#isServed
  }

  /** The metrics of one Pod; undefined if it does not exist, or was not measured yet. */
  async pod(name: ObjectName, signal: AbortSignal): Promise<KubeObject | undefined> {
    const { virtual, host } = this.#options
    const pod = (await found(virtual.get(podType, name, signal), name)) as Pod | undefined
    const place = pod && (await placeOfCopy(pod, name, this.#options, () => readCopy(name, this.#options, signal)))
    if (pod === undefined || place === undefined) return undefined
    const measured = await this.#asked(
      `pods.${metricsGroup}`,
      found(host.get(metricsType('pods'), place, signal), place),
    )
    return measured && shownPodMetrics(measured, pod)
  }

  async pods(selection: ListSelection, signal: AbortSignal): Promise<readonly KubeObject[]> {
    const { virtual, host, hostOf, identity } = this.#options
    const { items: pods } = await virtual.list(podType, selection, signal)
    if (pods.length === 0) return []
    const place = this.#placeOf(selection.namespace)
    const ofCopies = { labelSelector: copySelector(identity), ...(place !== undefined && { namespace: place }) }
    const listed = await this.#asked(`pods.${metricsGroup}`, host.list(metricsType('pods'), ofCopies, signal))
    const measured = new Map(listed.items.map((each) => [printName(nameOf(each)), each]))
    return pods.flatMap((pod) => {
      const copy = hostOf(nameOf(pod))
      const metrics = copy && measured.get(printName(copy))
      return metrics === undefined ? [] : [shownPodMetrics(metrics, pod as Pod)]
    })
  }

  async node(name: string, signal: AbortSignal): Promise<KubeObject | undefined> {
    const fieldSelector = `metadata.name=${name}`
    const [node] = await this.#seenNodes({ fieldSelector }, signal)
    if (node === undefined || nameOf(node).name !== name) return undefined
    const { host } = this.#options
    const place = nameOf(node)
    const asked = found(host.get(metricsType('nodes'), place, signal), place)
    const measured = await this.#asked(`nodes.${metricsGroup}`, asked)
    return measured && shownNodeMetrics(measured, node)
  }

  async nodes(selection: ListSelection, signal: AbortSignal): Promise<readonly KubeObject[]> {
    const nodes = await this.#seenNodes(selection, signal)
    if (nodes.length === 0) return []
    const { host } = this.#options
    const listed = await this.#asked(`nodes.${metricsGroup}`, host.list(metricsType('nodes'), {}, signal))
    const measured = new Map(listed.items.map((each) => [nameOf(each).name, each]))
    return nodes.flatMap((node) => {
      const metrics = measured.get(nameOf(node).name)
      return metrics === undefined ? [] : [shownNodeMetrics(metrics, node)]
    })
  }

  async #ask(): Promise<void> {
    this.#askedAtMs = this.#options.clock.now()
    try {
      const versions = await this.#options.host.served.findVersions(metricsGroup, 'pods')
      this.#isServed = versions.some(({ version }) => version === metricsVersion)
    } catch {
      // An unreachable host measures again when it is back.
    }
  }

  /** Undefined: copies are in several namespaces. */
  #placeOf(namespace: string | undefined): string | undefined {
    const { identity, config, hostOf } = this.#options
    if (!config().sync.toHost.namespaces.enabled) return identity.hostNamespace
    return namespace === undefined ? undefined : hostOf({ namespace, name: '' })?.namespace
  }

  /** A tenant can create a Node of any name, so the host decides which ones it sees. */
  async #seenNodes(selection: ListSelection, signal: AbortSignal): Promise<readonly KubeObject[]> {
    const { virtual, host, identity, config } = this.#options
    if (!showsNodes(config())) return []
    const { mode, labels } = config().sync.fromHost.nodes
    const { items: nodes } = await virtual.list(nodeType, selection, signal)
    if (nodes.length === 0) return []
    const place = this.#placeOf(undefined)
    const ofCopies = { labelSelector: copySelector(identity), ...(place !== undefined && { namespace: place }) }
    const copies = await this.#asked('pods', host.list(podType, ofCopies, signal))
    const seen = new Set(copies.items.map((copy) => (copy as Pod).spec.nodeName ?? ''))
    if (mode === 'selected') {
      const labelSelector = Object.entries(labels).map(([key, value]) => `${key}=${value}`)
      const listed = host.list(nodeType, { labelSelector: labelSelector.join(',') }, signal)
      const selected = await this.#asked('nodes', listed)
      for (const node of selected.items) seen.add(nameOf(node).name)
    }
    return nodes.filter((node) => seen.has(nameOf(node).name))
  }

  /**
   * The host's messages about the tenant's own account, and about where it measures, are not for users of the virtual
   * cluster.
   */
  async #asked<T>(resource: string, answer: Promise<T>): Promise<T> {
    try {
      return await answer
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      this.#options.log.warn('the host refused to return metrics', { resource, error: error.message })
      if (!isRefusal(error, 401, 403)) throw serviceUnavailable('the host does not return metrics at the moment')
      const help = `its operator can allow ${resource}, as tenant create --upgrade does`
      throw unreachable(`the host does not let this virtual cluster read metrics; ${help}`)
    }
  }
}

async function found<T>(answer: Promise<T>, place: ObjectName): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (saysGone(error, place)) return undefined
    throw error
  }
}
