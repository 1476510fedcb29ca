import { isRefusal } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Event } from '../../api/types/core-v1.ts'
import type { Log } from '../../base/log.ts'
import { eventType } from '../../client/builtin-types.ts'
import type { KubeClient } from '../../client/contract.ts'
import { withoutManagedFields } from '../../client/watch/without-managed-fields.ts'
import type { ObjectName } from '../../patches/contract.ts'
import { Reconciler } from '../../reconcile/reconciler.ts'
import type { HostNames } from '../contract.ts'
import { nameOf, parseName, printName } from '../names/names.ts'
import { pauseAfter } from '../run/failures/failure.ts'
import { PermittedInformer } from '../run/permitted-informer.ts'
import { type EventKind, occurrences, virtualEvent } from './virtual-event.ts'

export interface HostEventsOptions {
  readonly virtual: KubeClient
  readonly host: KubeClient
  /** The namespace of all copies; undefined: any namespace. */
  readonly hostNamespace: string | undefined
  readonly names: HostNames
  /** The kind that the Events are about. */
  readonly kind: EventKind
  /** The virtual object that an object of the host is the copy of. */
  readonly virtualOf: (copy: ObjectName, uid: string) => KubeObject | undefined
  readonly whenKnown: Promise<void>
  readonly mayWrite: () => boolean
  readonly log: Log
}

/** An Event comes with the status that it explains, which has precedence. One that is counted up quickly is written once. */
const restMs = 50

/** Copies Events about the copies of one kind to the virtual objects. */
export class HostEvents {
  readonly #options: HostEventsOptions
  readonly #loop: Reconciler
  readonly #found: PermittedInformer

  constructor(options: HostEventsOptions) {
    this.#options = options
    this.#loop = new Reconciler({
      reconcile: (name) => this.#carry(parseName(name)),
      failed: () => {},
      pauseMs: pauseAfter,
      workers: 2,
    })
    this.#found = this.#following(options)
    void options.whenKnown.then(() => this.#found.start())
  }

  async stop(): Promise<void> {
    this.#found.stop()
    await this.#loop.stop()
  }

  #following({ host, hostNamespace, kind, log }: HostEventsOptions): PermittedInformer {
    return new PermittedInformer({
      client: host,
      type: eventType,
      selection: {
        fieldSelector: `involvedObject.kind=${kind}`,
        keep: (event) => (this.#virtualOf(event) === undefined ? nameAlone(event) : withoutManagedFields(event)),
        ...(hostNamespace !== undefined && { namespace: hostNamespace }),
      },
      changed: ({ after }) => {
        if (after !== undefined && this.#virtualOf(after) !== undefined)
          this.#loop.addWithin(printName(nameOf(after)), restMs)
      },
      withoutRight: () => log.debug('Events of the host may not be read'),
    })
  }

  #virtualOf(event: KubeObject): KubeObject | undefined {
    const { namespace = '', name = '', uid = '' } = (event as Event).involvedObject ?? {}
    return this.#options.virtualOf({ namespace, name }, uid)
  }

  async #carry(name: ObjectName): Promise<void> {
    const { virtual, kind, names, mayWrite } = this.#options
    const event = this.#found.current?.get(name)
    const object = event && this.#virtualOf(event)
    const wanted = event && object && virtualEvent(event, { kind, object }, names)
    if (wanted === undefined || !mayWrite()) return
    if (occurrences(wanted as Event).count > 1 && (await this.#countUp(wanted))) return
    try {
      await virtual.create(eventType, wanted, this.#loop.signal)
    } catch (error) {
      if (isRefusal(error, 409)) await this.#countUp(wanted)
      // Its namespace was deleted, or is being deleted.
      else if (!isRefusal(error, 404, 403)) throw error
    }
  }

  /** A patch that changes nothing writes nothing. False: there is no such Event yet. */
  async #countUp(wanted: KubeObject): Promise<boolean> {
    const { virtual } = this.#options
    const body = { ...occurrences(wanted as Event), message: (wanted as Event).message }
    try {
      await virtual.patch(eventType, nameOf(wanted), { type: 'merge', body }, this.#loop.signal)
      return true
    } catch (error) {
      if (isRefusal(error, 404)) return false
      throw error
    }
  }
}

/** Events about other objects are not kept: there may be many. */
function nameAlone({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  const { namespace, name, uid, resourceVersion } = metadata
  return {
    apiVersion,
    kind,
    metadata: {
      ...(namespace && { namespace }),
      ...(name && { name }),
      ...(uid && { uid }),
      ...(resourceVersion && { resourceVersion }),
    },
  }
}
