import type { ApiBody } from '../support/api-client.ts'
import type { WatchedEvent } from '../support/watching.ts'

export type Contents = Readonly<Record<string, string>>

/** A write that took effect, as a watch must report it. Deletions are acknowledged without a resourceVersion. */
interface Written {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly contents: Contents
  readonly resourceVersion: string | undefined
}

/**
 * The knowledge of one writer about an object that only it writes: acknowledged writes, and writes that were in
 * progress when the connection broke.
 */
export class Ledger {
  readonly name: string
  readonly written: Written[] = []
  /** Absent if the object does not exist. */
  contents: Contents | undefined
  resourceVersion = ''
  #attempt: { readonly contents: Contents | undefined } | undefined

  constructor(name: string) {
    this.name = name
  }

  /** Call this before the request is sent; `undefined` for a deletion. */
  attempt(contents: Contents | undefined): void {
    this.#attempt = { contents }
  }

  acknowledge(resourceVersion: string | undefined): void {
    const attempt = this.#attempt
    if (attempt === undefined) throw new Error('an acknowledgment of nothing')
    this.#attempt = undefined
    this.written.push({
      type: typeOfWrite(this.contents, attempt.contents),
      contents: attempt.contents ?? this.contents ?? {},
      resourceVersion,
    })
    this.contents = attempt.contents
    this.resourceVersion = resourceVersion ?? ''
  }

  /** After a crash the state must be the acknowledged one, or all of the pending write. Returns complaints. */
  compare(found: ApiBody | undefined): readonly string[] {
    const attempt = this.#attempt
    const isOld = equal(found?.data, this.contents) && (found?.metadata.resourceVersion ?? '') === this.resourceVersion
    if (attempt !== undefined && !isOld && equal(found?.data, attempt.contents)) {
      this.acknowledge(found?.metadata.resourceVersion)
      return []
    }
    this.#attempt = undefined
    if (isOld) return []
    return [`${this.name}: ${print(found?.data)} is neither ${print(this.contents)} nor ${print(attempt?.contents)}`]
  }

  /** A watch over the whole time must have reported exactly the writes that took effect. Returns complaints. */
  compareEvents(events: readonly WatchedEvent[]): readonly string[] {
    const told = events.filter(({ object }) => object.metadata.name === this.name)
    const complaints = this.written.flatMap((write, index) => {
      const event = told[index]
      return event !== undefined && tells(event, write)
        ? []
        : [`${this.name}: event ${index} tells ${print(event)} of ${print(write)}`]
    })
    const extra = told.slice(this.written.length).map((event) => `${this.name}: no write led to ${print(event)}`)
    return [...complaints, ...extra]
  }
}

function typeOfWrite(before: Contents | undefined, after: Contents | undefined): Written['type'] {
  if (after === undefined) return 'DELETED'
  return before === undefined ? 'ADDED' : 'MODIFIED'
}

function tells({ type, object }: WatchedEvent, write: Written): boolean {
  if (type !== write.type || !equal(object.data, write.contents)) return false
  return write.resourceVersion === undefined || write.resourceVersion === object.metadata.resourceVersion
}

function equal(left: Contents | undefined, right: Contents | undefined): boolean {
  if (left === undefined || right === undefined) return left === right
  const names = Object.keys(left)
  return names.length === Object.keys(right).length && names.every((name) => left[name] === right[name])
}

function print(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 400)
}
