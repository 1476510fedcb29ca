import { linkLimits } from '../../api/link-limits.ts'
import { moveTimesOf, returnTimeOf } from './drain-times.ts'
import type { EndOfLink, Link } from './link.ts'
import { LinkKeys } from './link-keys.ts'

export interface LinksListener {
  opened(link: Link): void
  /** The process at the other end is about to stop, and no other process of the virtual cluster is linked here. */
  leaving(link: Link): void
  /** The last link of the virtual cluster at this replica has ended. */
  ended(link: Link, why: EndOfLink): void
}

const none: readonly Link[] = []

/**
 * The links that end at this replica, by project and name. Processes of one virtual cluster may be linked side by side;
 * the latest one gets the requests. A new link of the same process replaces its earlier ones.
 */
export class Links {
  /** The links of each access key. */
  readonly keys = new LinkKeys()
  readonly #links = new Map<string, readonly Link[]>()
  readonly #listener: LinksListener
  #isDraining = false

  constructor(listener: LinksListener) {
    this.#listener = listener
  }

  get isDraining(): boolean {
    return this.#isDraining
  }

  *all(): Iterable<Link> {
    for (const links of this.#links.values()) yield* links
  }

  /** The link of each virtual cluster that gets its requests. */
  *current(): Iterable<Link> {
    for (const links of this.#links.values()) {
      const link = asked(links)
      if (link !== undefined) yield link
    }
  }

  /** Ordered from the oldest to the latest. */
  of(project: string, name: string): readonly Link[] {
    return this.#links.get(linkId(project, name)) ?? none
  }

  /** The link that gets the requests. */
  find(project: string, name: string): Link | undefined {
    return asked(this.of(project, name))
  }

  /** The link that gets the requests, or else one that is about to end. */
  latest(project: string, name: string): Link | undefined {
    return this.find(project, name) ?? this.of(project, name).at(-1)
  }

  add(link: Link): void {
    const before = this.of(link.project, link.name)
    this.#links.set(linkId(link.project, link.name), [...before, link])
    for (const each of before.filter(({ process }) => process === link.process)) {
      each.end('Replaced', 'The virtual cluster has opened a new link.')
    }
    const beside = before.filter(({ process }) => process !== link.process)
    for (const each of beside.slice(0, Math.max(0, beside.length + 1 - linkLimits.maxLinksPerInstance))) {
      each.end('Replaced', 'Too many processes of the virtual cluster are linked; the latest stay.')
    }
    this.#listener.opened(link)
  }

  leave(link: Link): void {
    const next = this.find(link.project, link.name)
    if (next === undefined || next.isEnding) this.#listener.leaving(link)
    else this.#listener.opened(next)
  }

  remove(link: Link, why: EndOfLink): void {
    const id = linkId(link.project, link.name)
    const left = this.of(link.project, link.name).filter((each) => each !== link)
    const latest = left.at(-1)
    if (latest === undefined) {
      if (this.#links.delete(id)) this.#listener.ended(link, why)
      return
    }
    this.#links.set(id, left)
    this.#listener.opened(latest)
  }

  /**
   * Asks every tenant to link elsewhere and waits until all have moved, within the allowed time. Requests continue
   * meanwhile.
   */
  async move(): Promise<void> {
    const links = this.#ending()
    const times = moveTimesOf(links.length)
    await Promise.all(links.map((link) => link.move(stopping, times)))
  }

  /** Tells every tenant to link elsewhere and waits for requests under way. */
  async drain(graceMs: number): Promise<void> {
    const links = this.#ending()
    const returnWithinMs = returnTimeOf(links.length)
    await Promise.all(links.map((link) => link.drain(stopping, { graceMs, returnWithinMs })))
  }

  /** No new link is accepted from now on. */
  #ending(): readonly Link[] {
    this.#isDraining = true
    return [...this.all()]
  }
}

const stopping = 'This replica of the platform is being stopped.'

/**
 * The latest link, unless it is about to end and another is not. A link whose key was revoked gets no requests, even
 * while its tenant is being told.
 */
function asked(links: readonly Link[]): Link | undefined {
  return links.findLast(({ isEnding }) => !isEnding) ?? links.findLast(({ isBeingCut }) => !isBeingCut)
}

function linkId(project: string, name: string): string {
  return `${project}/${name}`
}
