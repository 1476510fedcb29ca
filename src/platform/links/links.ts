import { linkLimits } from '../../api/link-limits.ts'
import { moveTimesOf, returnTimeOf } from './drain-times.ts'
import type { EndOfLink, Link } from './link.ts'
import { LinkKeys } from './link-keys.ts'

export interface LinksListener {
  opened(link: Link): void
  /** The process at its other end is about to stop, and no other of the virtual cluster is linked here. */
  leaving(link: Link): void
  /** None of the virtual cluster is left at this replica. */
  ended(link: Link, why: EndOfLink): void
}

const none: readonly Link[] = []

/**
 * The links that end at this replica, by project and name. Several processes of one virtual cluster stand beside each other, and
 * the latest is asked; of one process the latest takes the place of those before.
 */
export class Links {
  /** Those of each access key. */
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

  /** Those that are asked, one of each virtual cluster. */
  *current(): Iterable<Link> {
    for (const links of this.#links.values()) {
      const link = asked(links)
      if (link !== undefined) yield link
    }
  }

  /** From the oldest to the latest. */
  of(project: string, name: string): readonly Link[] {
    return this.#links.get(linkId(project, name)) ?? none
  }

  /** The one that is asked. */
  find(project: string, name: string): Link | undefined {
    return asked(this.of(project, name))
  }

  /** The same, or else one that is about to go. */
  latest(project: string, name: string): Link | undefined {
    return this.find(project, name) ?? this.of(project, name).at(-1)
  }

  add(link: Link): void {
    const before = this.of(link.project, link.name)
    this.#links.set(linkId(link.project, link.name), [...before, link])
    for (const each of before.filter(({ process }) => process === link.process)) {
      each.end('Replaced', 'The virtual cluster has linked itself anew.')
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

  /** Asks every tenant to link itself elsewhere, and waits until all have, for as long as that may take. Requests go on meanwhile. */
  async move(): Promise<void> {
    const links = this.#ending()
    const times = moveTimesOf(links.length)
    await Promise.all(links.map((link) => link.move(stopping, times)))
  }

  /** Tells every tenant to go elsewhere, and waits for what is under way. */
  async drain(graceMs: number): Promise<void> {
    const links = this.#ending()
    const returnWithinMs = returnTimeOf(links.length)
    await Promise.all(links.map((link) => link.drain(stopping, { graceMs, returnWithinMs })))
  }

  /** No other is taken from now on. */
  #ending(): readonly Link[] {
    this.#isDraining = true
    return [...this.all()]
  }
}

const stopping = 'This replica of the platform is being stopped.'

/** The latest, unless it is about to end and another is not. One whose key was revoked is asked nothing, even while it is told so. */
function asked(links: readonly Link[]): Link | undefined {
  return links.findLast(({ isEnding }) => !isEnding) ?? links.findLast(({ isBeingCut }) => !isBeingCut)
}

function linkId(project: string, name: string): string {
  return `${project}/${name}`
}
