import { type Answer, type ApiBody, versionOf } from '../support/api-client.ts'

const list = 'list'

/** The oldest allowed state for a request that begins at some moment: by object name, and for lists. */
export type Floors = ReadonlyMap<string, number>

/** Remembers the newest state that any client has seen, and complains about older answers. */
export class Witness {
  readonly complaints: string[] = []
  /** By asker. */
  readonly refusals = new Map<string, number>()
  readonly acknowledged: number[] = []
  readonly #floors = new Map<string, number>()

  get lastAcknowledged(): number {
    return this.acknowledged.at(-1) ?? 0
  }

  floors(): Floors {
    return new Map(this.#floors)
  }

  /** Checks the answer to a read that began with these floors. */
  read(body: ApiBody, floors: Floors, asker: string): void {
    if (body.items !== undefined) this.#check(list, versionOf(body), floors, asker)
    for (const object of body.items ?? [body]) {
      if (floors.has(nameOf(object))) this.#check(nameOf(object), versionOf(object), floors, asker)
    }
  }

  wrote(body: ApiBody): void {
    this.acknowledged.push(versionOf(body))
    this.#raise(nameOf(body), versionOf(body))
    this.#raise(list, versionOf(body))
  }

  /** Records an answer that is not a success. */
  refused(answer: Answer, asker: string): void {
    this.refusals.set(asker, (this.refusals.get(asker) ?? 0) + 1)
    const { status, headers, body } = answer
    const isAsPromised =
      (status === 503 || status === 504) &&
      body.kind === 'Status' &&
      body.code === status &&
      headers['retry-after'] === '1'
    if (!isAsPromised) this.complaints.push(`${asker}: ${status} ${JSON.stringify(headers)} ${JSON.stringify(body)}`)
  }

  #check(name: string, version: number, floors: Floors, asker: string): void {
    const floor = floors.get(name) ?? 0
    if (version < floor)
      this.complaints.push(`${asker}: ${name} was told at ${version} after it had been told at ${floor}`)
    this.#raise(name, version)
  }

  #raise(name: string, version: number): void {
    this.#floors.set(name, Math.max(version, this.#floors.get(name) ?? 0))
  }
}

function nameOf({ metadata }: ApiBody): string {
  return metadata.name ?? ''
}
