import { namespaceOfEvents, newEvent } from '../../../api/core/events/new-event.ts'
import type { Kind } from '../../../api/kind.ts'
import { apiVersionOf, type KubeObject } from '../../../api/object.ts'
import type { KeyIndex, NearEnd } from '../../../auth/keys/contract.ts'
import { timestamp } from '../../../base/clock.ts'
import { Reconciler } from '../../../reconcile/reconciler.ts'
import type { ResourceContext } from '../../../registry/context.ts'
import type { Controller, ReportError } from '../../../registry/controllers/controller.ts'
import { ensureObject } from '../../../registry/controllers/ensure.ts'
import { eventNameFor } from '../../event-name.ts'
import { platformRequest } from '../../platform-user.ts'
import { isOfSession, specOf } from '../record/access-key.ts'
import { type KeyEvent, keyEventsOf } from './key-events.ts'

const manager = 'access-key-events'
const namespace = namespaceOfEvents({})
const nearEndsIntervalMs = 10_000

/**
 * Reports the life of keys as Events. The name of an Event follows from its content, so replicas that report the same
 * thing, or one that reports it twice, write a single Event.
 */
export class EventWriter implements Controller {
  readonly #keys: ResourceContext
  readonly #events: ResourceContext
  readonly #loop: Reconciler
  readonly #waiting = new Map<string, KubeObject>()

  constructor(
    keys: ResourceContext,
    events: ResourceContext,
    index: Pick<KeyIndex, 'takeNearEnds'>,
    report: ReportError,
    intervalMs = nearEndsIntervalMs,
  ) {
    this.#keys = keys
    this.#events = events
    this.#loop = new Reconciler({
      reconcile: (name) => this.#write(name),
      failed: (name, error) => report(manager, name, error),
    })
    this.#loop.follow(
      keys.cache.listen((changes) => {
        for (const { type, document, previous } of changes) {
          if (type !== 'DELETED') this.#tellAll(document.object, keyEventsOf(document.object, previous?.object))
        }
      }),
    )
    this.#loop.every(intervalMs, () => this.#tell(index.takeNearEnds()))
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  #tell(nearEnds: readonly NearEnd[]): void {
    for (const { name, endMs } of nearEnds) {
      const object = this.#keys.cache.get({ namespace: '', name })?.object
      if (object !== undefined && isOfSession(specOf(object))) continue
      const end = timestamp(endMs)
      const news: KeyEvent = { type: 'Warning', reason: 'ExpiringSoon', message: `expires at ${end}`, occasion: end }
      if (object !== undefined) this.#tellAll(object, [news])
    }
  }

  #tellAll(object: KubeObject, news: readonly KeyEvent[]): void {
    for (const each of news) {
      const event = eventOf(this.#keys.kind, object, each, this.#keys.engine.clock.now())
      const name = event.metadata.name ?? ''
      if (this.#events.cache.get({ namespace, name }) !== undefined) continue
      this.#waiting.set(name, event)
      this.#loop.add(name)
    }
  }

  async #write(name: string): Promise<void> {
    const event = this.#waiting.get(name)
    if (event !== undefined) await ensureObject(this.#events, event, platformRequest(manager, this.#loop.signal))
    this.#waiting.delete(name)
  }
}

function eventOf(kind: Kind, { metadata }: KubeObject, news: KeyEvent, nowMs: number): KubeObject {
  const { name = '', uid = '', resourceVersion = '' } = metadata
  const { type, reason, message, occasion } = news
  return newEvent({
    name: eventNameFor(name, [uid, reason, occasion]),
    about: { kind: kind.kind, apiVersion: apiVersionOf(kind), name, uid, resourceVersion },
    type,
    reason,
    message,
    component: 'tenant-platform',
    firstMs: nowMs,
    lastMs: nowMs,
    count: 1,
  })
}
