import { projectNamespace, projectOfNamespace } from '../../auth/scope/request.ts'
import { Semaphore } from '../../base/concurrency/semaphore.ts'
import { waitAtMost } from '../../base/pause.ts'
import type { Random } from '../../base/random.ts'
import { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import { editObject } from '../../registry/verbs/edit.ts'
import type { EndOfLink, Link } from '../links/link.ts'
import type { Links, LinksListener } from '../links/links.ts'
import type { Replicas } from '../links/replicas.ts'
import { platformRequest } from '../platform-user.ts'
import { isReportDue, type ReportedLink, reportedLink } from './heartbeat.ts'
import type { LinkIndex } from './link-index.ts'
import type { StoredLinkState } from './link-state.ts'
import { type LinkChange, withLinkStatus } from './link-status.ts'

const manager = 'links'
const tickMs = 1_000
/** Time limit for the last writes before a shutdown. */
const lastWordsMs = 2_000
const lastWordsAtOnce = 32
/** Limit of links cut together that are reported in each tick, so that callers and other links get their turns. */
const cutPerTick = 250

export interface LinkReportParts {
  readonly links: Links
  readonly index: LinkIndex
  readonly replicas: Replicas
  readonly virtualClusters: () => ResourceContext
  readonly report: ReportError
  /** Maximum age of the reported state of a link. */
  readonly heartbeatMs: number
  readonly random: Random
}

interface LastOfLink extends EndOfLink {
  readonly lastSeenMs: number
}

/**
 * Reports in the status of virtual clusters whether they are linked: on changes, and rarely in between. Each replica
 * reports its own links, and those of replicas that are gone. A link that the store lists at another replica is given
 * up.
 */
export class LinkReports implements Controller, LinksListener {
  readonly #parts: () => LinkReportParts
  readonly #loop: Reconciler
  readonly #ends = new Map<string, LastOfLink>()
  readonly #said = new WeakMap<Link, ReportedLink>()
  /** Links that were cut together with many others: they are reported once all are cut. */
  readonly #cut = new Set<string>()

  /** The parts refer to each other, so they are looked up on use. */
  constructor(parts: () => LinkReportParts) {
    this.#parts = parts
    this.#loop = new Reconciler({
      reconcile: (id) => this.#bringUpToDate(id),
      failed: (id, error) => parts().report(manager, id, error),
      workers: 8,
    })
  }

  start(): void {
    this.#loop.every(tickMs, () => this.#tick())
  }

  /** The stored state may have changed since the link was admitted. */
  opened(link: Link): void {
    const { index } = this.#parts()
    this.#holdAgainst(link, index.get(projectNamespace(link.project), link.name))
    this.#cut.delete(idOf(link))
    this.#loop.add(idOf(link))
  }

  ended(link: Link, why: EndOfLink): void {
    this.#ends.set(idOf(link), { ...why, lastSeenMs: link.lastSeenMs })
    if (this.#parts().links.keys.isCutting) this.#cut.add(idOf(link))
    else this.#loop.add(idOf(link))
  }

  /**
   * Reported, so that a replica with a link of another process takes over the virtual cluster before this process ends.
   */
  leaving(link: Link): void {
    this.#loop.add(idOf(link))
  }

  /** The stored state of a virtual cluster changed, whichever replica holds its link. */
  changed(namespace: string, name: string): void {
    const { links, index } = this.#parts()
    const state = index.get(namespace, name)
    for (const link of links.of(projectOfNamespace(namespace) ?? '', name)) this.#holdAgainst(link, state)
  }

  #holdAgainst(link: Link, state: StoredLinkState | undefined): void {
    const { replicas } = this.#parts()
    if (state === undefined) link.end('Removed', 'The virtual cluster has been removed from the platform.')
    else if (state.identity.proof !== link.proofHash)
      link.end('Reissued', 'The proof of the virtual cluster is no longer valid; it must link again with a new one.')
    else if (!link.isAnnounced) return
    else if (state.replica === '') this.#loop.add(idOf(link))
    else if (state.replica !== replicas.ownName && state.process === link.process)
      link.replaced('The virtual cluster is linked to another replica of the platform.')
    else if (state.replica !== replicas.ownName && state.isLeaving && !link.isEnding) this.#loop.add(idOf(link))
  }

  /** First reports links that have ended. */
  async stop(): Promise<void> {
    const semaphore = new Semaphore(lastWordsAtOnce)
    const said = [...this.#ends.keys()].map((id) => semaphore.run(() => this.#bringUpToDate(id)))
    await waitAtMost(lastWordsMs, Promise.allSettled(said))
    await this.#loop.stop()
  }

  #tick(): void {
    const { links, index, replicas, virtualClusters } = this.#parts()
    const nowMs = virtualClusters().engine.clock.now()
    for (const link of links.current()) {
      if (isReportDue(this.#said.get(link), link.keyName, nowMs)) this.#loop.add(idOf(link))
    }
    if (!links.keys.isCutting) this.#reportCut()
    for (const replica of index.replicas()) {
      if (!replicas.isLive(replica)) for (const id of index.linkedTo(replica)) this.#loop.add(id)
    }
  }

  #reportCut(): void {
    for (const id of [...this.#cut].slice(0, cutPerTick)) {
      this.#cut.delete(id)
      this.#loop.add(id)
    }
  }

  async #bringUpToDate(id: string): Promise<void> {
    const { links, virtualClusters, heartbeatMs, random } = this.#parts()
    const [namespace = '', name = ''] = id.split('/')
    const link = links.latest(projectOfNamespace(namespace) ?? '', name)
    const news = link === undefined ? this.#newsOfAbsent(id, namespace, name) : this.#keyEventsOf(link)
    if (news === undefined) return
    const nowMs = virtualClusters().engine.clock.now()
    const request = platformRequest(manager, this.#loop.signal, 'status')
    if (link !== undefined) this.#said.set(link, reportedLink(link.keyName, nowMs, heartbeatMs, random))
    await editObject(virtualClusters(), { namespace, name }, (object) => withLinkStatus(object, news, nowMs), request)
    if (link === undefined) this.#ends.delete(id)
    else link.isAnnounced = true
  }

  /**
   * Undefined when another replica already reports a process of the virtual cluster that stays, or that leaves just as
   * this one does.
   */
  #keyEventsOf(link: Link): LinkChange | undefined {
    const { index, replicas } = this.#parts()
    const { keyName, lastSeenMs, process, project, name, isAnnounced, isLeaving } = link
    const { replica = '', isLeaving: isOtherLeaving = false } = index.get(projectNamespace(project), name) ?? {}
    const isOthers = replica !== '' && replica !== replicas.ownName && replicas.isLive(replica)
    if (isAnnounced && isOthers && (isLeaving || !isOtherLeaving)) return undefined
    return { state: 'online', replica: replicas.ownName, process, keyName, lastSeenMs, isLeaving }
  }

  /** Undefined when the link is held by another live replica. */
  #newsOfAbsent(id: string, namespace: string, name: string): LinkChange | undefined {
    const { index, replicas } = this.#parts()
    const state = index.get(namespace, name)
    if (state === undefined || state.replica === '') return undefined
    if (state.replica === replicas.ownName) {
      return { state: 'offline', ...(this.#ends.get(id) ?? lost) }
    }
    return replicas.isLive(state.replica) ? undefined : { state: 'offline', ...replicaLost }
  }
}

const lost: EndOfLink = { reason: 'ConnectionLost', message: 'The connection was lost.' }
const replicaLost = { reason: 'ReplicaLost', message: 'The replica of the platform that held the link is gone.' }

function idOf({ project, name }: Link): string {
  return `${projectNamespace(project)}/${name}`
}
