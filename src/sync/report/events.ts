import { namespaceOfEvents, newEvent } from '../../api/core/events/new-event.ts'
import { isRefusal } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import { type Clock, timestamp } from '../../base/clock.ts'
import type { KubeClient, ResourceType } from '../../client/contract.ts'
import { Reconciler } from '../../reconcile/reconciler.ts'
import type { Trouble } from '../contract.ts'
import { shortHash } from '../plan/hash.ts'
import { pauseAfter } from '../run/failures/failure.ts'

/** The object that an Event is about. */
interface Subject {
  readonly apiVersion: string
  readonly kind: string
  readonly namespace: string
  readonly name: string
  readonly uid: string
}

interface Told {
  readonly subject: Subject
  readonly trouble: Trouble
  readonly firstMs: number
  readonly lastMs: number
  readonly count: number
}

const mostRemembered = 5_000
const longestName = 200
const longestMessage = 1_000

/** Warnings on objects of a cluster: one Event for each object and reason, with a growing count. */
export class SyncEvents {
  readonly #client: KubeClient
  readonly #clock: Clock
  readonly #component: string
  readonly #told = new Map<string, Told>()
  readonly #written = new Set<string>()
  readonly #loop: Reconciler

  constructor(client: KubeClient, clock: Clock, component = 'tenant-syncer') {
    this.#client = client
    this.#clock = clock
    this.#component = component
    this.#loop = new Reconciler({
      reconcile: (name) => this.#write(name),
      failed: () => {},
      pauseMs: pauseAfter,
      workers: 2,
    })
  }

  warn(object: KubeObject, trouble: Trouble): void {
    const subject = subjectOf(object)
    const name = eventName(subject, trouble)
    const before = this.#told.get(name)
    const nowMs = this.#clock.now()
    this.#told.delete(name)
    this.#told.set(name, {
      subject,
      trouble,
      firstMs: before?.firstMs ?? nowMs,
      lastMs: nowMs,
      count: (before?.count ?? 0) + 1,
    })
    if (this.#told.size > mostRemembered) this.#forgetOldest()
    this.#loop.add(name)
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  #forgetOldest(): void {
    const [oldest] = this.#told.keys()
    if (oldest === undefined) return
    this.#told.delete(oldest)
    this.#written.delete(oldest)
  }

  async #write(name: string): Promise<void> {
    const told = this.#told.get(name)
    if (told === undefined) return
    const type = await this.#client.served.find('', 'events', this.#loop.signal)
    if (type === undefined) return
    try {
      await (this.#written.has(name) ? this.#countUp(type, name, told) : this.#create(type, name, told))
    } catch (error) {
      // Its namespace was deleted, or Events may not be written there: a retry would not help.
      if (!isRefusal(error, 404, 403)) throw error
    }
  }

  async #countUp(type: ResourceType, name: string, told: Told): Promise<void> {
    const key = { namespace: namespaceOfEvents(told.subject), name }
    const body = { count: told.count, lastTimestamp: timestamp(told.lastMs), message: messageOf(told.trouble) }
    try {
      await this.#client.patch(type, key, { type: 'merge', body }, this.#loop.signal)
    } catch (error) {
      if (!isRefusal(error, 404)) throw error
      this.#written.delete(name)
      await this.#create(type, name, told)
    }
  }

  /** An Event of an earlier process continues from its count. */
  async #create(type: ResourceType, name: string, told: Told): Promise<void> {
    try {
      await this.#client.create(type, eventOf(name, told, this.#component), this.#loop.signal)
      this.#written.add(name)
      return
    } catch (error) {
      if (!isRefusal(error, 409)) throw error
    }
    const there = await this.#client.get(type, { namespace: namespaceOfEvents(told.subject), name }, this.#loop.signal)
    const counted = typeof there.count === 'number' ? there.count : 0
    const latest = this.#told.get(name) ?? told
    this.#told.set(name, { ...latest, count: latest.count + counted })
    this.#written.add(name)
    this.#loop.add(name)
  }
}

function eventOf(name: string, { subject, trouble, firstMs, lastMs, count }: Told, component: string): KubeObject {
  const { namespace, ...rest } = subject
  return newEvent({
    name,
    about: namespace === '' ? rest : subject,
    type: 'Warning',
    reason: trouble.reason,
    message: messageOf(trouble),
    component,
    firstMs,
    lastMs,
    count,
  })
}

/** Derived from object and reason, so that a restarted syncer finds the Event it wrote. */
function eventName({ name, uid }: Subject, { reason }: Trouble): string {
  const readable = name.slice(0, longestName).replace(/[^a-z0-9]$/, 'x')
  return `${readable}.${Buffer.from(shortHash(`${uid}/${reason}`)).toString('hex')}`
}

function subjectOf({ apiVersion, kind, metadata }: KubeObject): Subject {
  const { namespace = '', name = '', uid = '' } = metadata
  return { apiVersion, kind, namespace, name, uid }
}

function messageOf({ message }: Trouble): string {
  return message.length > longestMessage ? `${message.slice(0, longestMessage)}…` : message
}
