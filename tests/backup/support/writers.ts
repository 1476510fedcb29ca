import { expect } from 'vitest'
import type { Chance } from '../../support/chance.ts'
import { sendJson } from '../../support/network/send-json.ts'

const collection = '/api/v1/namespaces/default/configmaps'

/** An acknowledged write. The revision of a deletion is unknown; only the two revisions around it are known. */
interface Write {
  readonly name: string
  /** Absent: the object was deleted. */
  readonly content?: string
  readonly notBefore: number
  readonly notAfter: number
}

/** Clients that write without a pause, each to its own names, and remember the answers. */
export class Writers {
  readonly #port: number
  readonly #chance: Chance
  readonly #history: Write[] = []
  readonly #running: Promise<void>[]
  #failure: unknown
  #isStopped = false

  constructor(port: number, count: number, chance: Chance) {
    this.#port = port
    this.#chance = chance
    this.#running = Array.from({ length: count }, (_, index) => this.#write(`writer-${index}`))
    for (const each of this.#running) {
      each.catch((error: unknown) => {
        this.#failure ??= error
      })
    }
  }

  /** Throws if a writer has failed: the others alone may never reach the expected number. */
  get acknowledged(): number {
    if (this.#failure !== undefined) throw this.#failure
    return this.#history.length
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all(this.#running)
  }

  /**
   * The possible contents of each name at a revision: one text, or two if a deletion happened around it. `undefined`:
   * absent.
   */
  at(revision: number): ReadonlyMap<string, readonly (string | undefined)[]> {
    const states = new Map<string, readonly (string | undefined)[]>()
    for (const { name, content, notBefore, notAfter } of this.#history) {
      if (notAfter <= revision) states.set(name, [content])
      else if (notBefore <= revision) states.set(name, [...(states.get(name) ?? [undefined]), content])
      else if (!states.has(name)) states.set(name, [undefined])
    }
    return states
  }

  async #write(writer: string): Promise<void> {
    const standing = new Set<string>()
    let last = 0
    for (let turn = 0; !this.#isStopped; turn++) {
      const name = `${writer}-${Math.floor(this.#chance.between(0, 6))}`
      if (standing.has(name) && this.#chance.next() < 0.2) {
        last = await this.#delete(name, writer, last)
        standing.delete(name)
        continue
      }
      const content = `${turn} ${'x'.repeat(Math.floor(this.#chance.between(0, 2_000)))}`
      last = await this.#put(name, content, standing.has(name))
      standing.add(name)
      this.#history.push({ name, content, notBefore: last, notAfter: last })
    }
  }

  async #put(name: string, content: string, isThere: boolean): Promise<number> {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { content } }
    const path = isThere ? `${collection}/${name}` : collection
    const { status, body } = await sendJson(this.#port, isThere ? 'PUT' : 'POST', path, object)
    expect([200, 201]).toContain(status)
    return Number((body.metadata as { resourceVersion: string }).resourceVersion)
  }

  /** Another write of the same client bounds the revision of the deletion. */
  async #delete(name: string, writer: string, last: number): Promise<number> {
    const { status } = await sendJson(this.#port, 'DELETE', `${collection}/${name}`)
    expect(status).toBe(200)
    const notAfter = await this.#put(`${writer}-bound-${this.#history.length}`, 'bound', false)
    this.#history.push({ name, notBefore: last + 1, notAfter: notAfter - 1 })
    return notAfter
  }
}
