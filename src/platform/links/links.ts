import type { EndOfLink, Link } from './link.ts'

export interface LinksListener {
  opened(link: Link): void
  ended(link: Link, why: EndOfLink): void
}

/** The links that end at this replica, by project and name. The latest one of a virtual cluster counts. */
export class Links {
  readonly #links = new Map<string, Link>()
  readonly #listener: LinksListener
  #isDraining = false

  constructor(listener: LinksListener) {
    this.#listener = listener
  }

  get isDraining(): boolean {
    return this.#isDraining
  }

  all(): Iterable<Link> {
    return this.#links.values()
  }

  find(project: string, name: string): Link | undefined {
    return this.#links.get(linkId(project, name))
  }

  add(link: Link): void {
    const id = linkId(link.project, link.name)
    const before = this.#links.get(id)
    this.#links.set(id, link)
    before?.end('Replaced', 'The virtual cluster has linked itself anew.')
    this.#listener.opened(link)
  }

  remove(link: Link, why: EndOfLink): void {
    const id = linkId(link.project, link.name)
    if (this.#links.get(id) !== link) return
    this.#links.delete(id)
    this.#listener.ended(link, why)
  }

  /** Tells every tenant to go elsewhere, and waits for what is under way. */
  async drain(graceMs: number): Promise<void> {
    this.#isDraining = true
    const message = 'This replica of the platform is being stopped.'
    await Promise.all([...this.#links.values()].map((link) => link.drain(message, graceMs)))
  }
}

function linkId(project: string, name: string): string {
  return `${project}/${name}`
}
