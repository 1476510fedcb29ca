import { hash } from 'node:crypto'
import { namespaceOfEvents, newEvent } from '../../api/core/events/new-event.ts'
import { isRefusal } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Event, ObjectReference } from '../../api/types/core-v1.ts'
import { timestamp } from '../../base/clock.ts'
import { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { ReportError } from '../../registry/controllers/controller.ts'
import { parseRelativeKey } from '../../registry/storage-key.ts'
import { combinedPrefix, EventLimits, type News } from './event-limits.ts'
import type { MayWrite } from './leading.ts'
import { reporting } from './report-failure.ts'
import { ControllerWriter } from './writer.ts'

type Subject = Required<Omit<ObjectReference, 'fieldPath'>>

interface Told {
  readonly about: Subject
  readonly news: News
  readonly firstMs: number
  readonly lastMs: number
  /** How often it happened since it was last written. */
  readonly times: number
}

/** More wait only if Events cannot be written at all. */
const mostWaiting = 10_000
const longestNamePart = 236
const longestMessage = 1_024

export interface EventRecorderOptions {
  readonly events: ResourceContext
  readonly component: string
  readonly report: ReportError
  readonly mayWrite: MayWrite
}

/** Events about the objects of one controller. A repetition is counted in the existing Event. */
export class ControllerEvents {
  readonly #events: ResourceContext
  readonly #component: string
  readonly #limits: EventLimits
  readonly #waiting = new Map<string, Told>()
  readonly #loop: Reconciler
  readonly #writer: ControllerWriter

  constructor({ events, component, report, mayWrite }: EventRecorderOptions) {
    this.#events = events
    this.#component = component
    this.#limits = new EventLimits(events.engine.clock)
    const reportFailure = reporting(component, report)
    this.#loop = new Reconciler({
      reconcile: (key) => this.#write(key),
      failed: (key, error) => reportFailure(`Event ${key}`, error),
      measured: { metrics: events.engine.metrics, name: 'event-recorder' },
    })
    this.#writer = new ControllerWriter({ controller: component, signal: this.#loop.signal, mayWrite })
  }

  record(about: KubeObject, news: News): void {
    const told = this.#limits.admit(about.metadata.uid ?? '', { ...news, message: shortMessage(news.message) })
    if (told === undefined) return
    const key = `${namespaceOfEvents(about.metadata)}/${this.#nameOf(about, told)}`
    const before = this.#waiting.get(key)
    if (before === undefined && this.#waiting.size >= mostWaiting) return
    const nowMs = this.#events.engine.clock.now()
    this.#waiting.set(key, {
      about: referenceTo(about),
      news: told,
      firstMs: before?.firstMs ?? nowMs,
      lastMs: nowMs,
      times: (before?.times ?? 0) + 1,
    })
    this.#loop.add(key)
  }

  /** For a state rather than an occurrence: nothing is written while an Event reports it, even after a restart. */
  recordOnce(about: KubeObject, news: News): void {
    const namespace = namespaceOfEvents(about.metadata)
    const name = this.#nameOf(about, { ...news, message: shortMessage(news.message) })
    if (this.#events.cache.get({ namespace, name }) === undefined) this.record(about, news)
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  async #write(key: string): Promise<void> {
    const told = this.#waiting.get(key)
    if (told === undefined) return
    this.#waiting.delete(key)
    const id = parseRelativeKey(key)
    try {
      if (this.#events.cache.get(id) === undefined)
        await this.#writer.create(this.#events, this.#eventOf(id.name, told))
      else await this.#writer.edit(this.#events, id, (event) => countedUp(event as Event, told))
    } catch (error) {
      // An Event whose namespace is being deleted, or for which there is no room, is not worth a retry.
      if (isRefusal(error, 403, 404, 409, 422)) return
      this.#waiting.set(key, together(told, this.#waiting.get(key)))
      throw error
    }
  }

  #eventOf(name: string, { about, news, firstMs, lastMs, times }: Told): KubeObject {
    const { type, reason, message } = news
    return newEvent({
      name,
      about,
      type,
      reason,
      message: message.slice(0, longestMessage),
      component: this.#component,
      reporter: message.startsWith(combinedPrefix) ? '' : this.#component,
      firstMs,
      lastMs,
      count: times,
    })
  }

  /** Equal for the same news, on every replica and after a restart. Combined ones share a name. */
  #nameOf({ metadata }: KubeObject, { type, reason, message }: News): string {
    const subject = message.startsWith(combinedPrefix) ? combinedPrefix : message
    const mark = hash('sha256', JSON.stringify([this.#component, metadata.uid, type, reason, subject]), 'hex')
    return `${(metadata.name ?? '').slice(0, longestNamePart)}.${mark.slice(0, 16)}`
  }
}

/** Only the part of the object that an Event names: objects may be large, and Events may have to wait. */
function referenceTo({ apiVersion, kind, metadata }: KubeObject): Subject {
  const { namespace = '', name = '', uid = '', resourceVersion = '' } = metadata
  return { kind, namespace, name, uid, apiVersion, resourceVersion }
}

/** Merges what was not written with what has happened since. */
function together(before: Told, since: Told | undefined): Told {
  return since === undefined ? before : { ...since, firstMs: before.firstMs, times: before.times + since.times }
}

function countedUp(event: Event, { news, lastMs, times }: Told): KubeObject {
  return {
    ...event,
    message: news.message.slice(0, longestMessage),
    lastTimestamp: timestamp(lastMs),
    count: (event.count ?? 0) + times,
  }
}

/** Copied: a substring retains the whole string in memory, and messages are remembered. */
function shortMessage(message: string): string {
  return message.length <= longestMessage ? message : Buffer.from(message.slice(0, longestMessage)).toString()
}
