import type { KubeObject } from '../../../api/object.ts'
import type { AccessKeyStatus } from '../../../api/types/management.ts'
import type { DueFlush, KeyIndex } from '../../../auth/keys/contract.ts'
import { timestamp } from '../../../base/clock.ts'
import { waitAtMost } from '../../../base/pause.ts'
import { Reconciler } from '../../../reconcile/reconciler.ts'
import type { ResourceContext } from '../../../registry/context.ts'
import type { Controller, ReportError } from '../../../registry/controllers/controller.ts'
import { editObject } from '../../../registry/verbs/edit.ts'
import { platformRequest } from '../../platform-user.ts'
import { accessKeyOf } from '../record/access-key.ts'
import { keyRecordOf } from '../record/key-record.ts'
import { endPreviousValue, rotationStatus } from './previous-value.ts'
import { withLife } from './status.ts'

const manager = 'access-keys'
const tickMs = 250
/** A store that does not answer does not hold up a shutdown. */
const longestStopMs = 2_000

/**
 * Ends keys on time and stores their last activity. Every replica cuts ended keys in memory at once, by its own clock;
 * the stored record follows.
 */
export class KeyLife implements Controller {
  readonly #keys: ResourceContext
  readonly #index: KeyIndex
  readonly #loop: Reconciler
  readonly #flushes = new Map<string, DueFlush>()
  #soon: NodeJS.Immediate | undefined

  constructor(keys: ResourceContext, index: KeyIndex, report: ReportError) {
    this.#keys = keys
    this.#index = index
    this.#loop = new Reconciler({
      reconcile: (name) => this.#bringUpToDate(name),
      failed: (name, error) => report(manager, name, error),
      workers: 4,
    })
    this.#loop.every(tickMs, () => this.tick())
  }

  tick(): void {
    const nowMs = this.#keys.engine.clock.now()
    for (const expiry of this.#index.takeExpired(nowMs)) this.#loop.add(expiry.name)
    this.#note(this.#index.dueFlushes(nowMs))
  }

  /** Stores a use after a long idle time right after the answer: if it were lost, the key might end early. */
  tickSoon(): void {
    this.#soon ??= setImmediate(() => {
      this.#soon = undefined
      this.tick()
    })
  }

  /** Stores all recorded activity, then stops. */
  async stop(): Promise<void> {
    clearImmediate(this.#soon)
    await this.#loop.drain()
    this.#note(this.#index.allFlushes(this.#keys.engine.clock.now()))
    const writing = Promise.allSettled([...this.#flushes.keys()].map((name) => this.#bringUpToDate(name)))
    await waitAtMost(longestStopMs, writing)
    await this.#loop.stop()
  }

  #note(flushes: readonly DueFlush[]): void {
    for (const flush of flushes) {
      this.#flushes.set(flush.name, flush)
      this.#loop.add(flush.name)
    }
  }

  async #bringUpToDate(name: string): Promise<void> {
    const flush = this.#flushes.get(name)
    const id = { namespace: '', name }
    const document = this.#keys.cache.get(id)
    if (document === undefined) return
    const request = platformRequest(manager, this.#loop.signal, 'status')
    await endPreviousValue(this.#keys, document)
    await editObject(this.#keys, id, (object) => this.#withStatus(object, flush), request)
    if (this.#flushes.get(name) === flush) this.#flushes.delete(name)
  }

  /** Undefined when the stored status is already up to date. */
  #withStatus(object: KubeObject, flush: DueFlush | undefined): KubeObject | undefined {
    const { metadata, status = {} } = accessKeyOf(object)
    const document = this.#keys.cache.get({ namespace: '', name: metadata.name ?? '' })
    const record = document === undefined ? undefined : keyRecordOf(document)
    if (record === undefined || (flush !== undefined && flush.uid !== metadata.uid)) return undefined
    const nowMs = this.#keys.engine.clock.now()
    const endMs = this.#index.expiresAtMs(record.uid) ?? Number.POSITIVE_INFINITY
    const { rotation } = status
    const changed: AccessKeyStatus = {
      ...withLife(status, record, endMs, nowMs),
      ...(flush === undefined ? {} : activity(flush)),
      ...(rotation === undefined ? {} : { rotation: rotationStatus(rotation, this.#index.previousUsers(record.uid)) }),
    }
    return { ...object, status: changed }
  }
}

function activity({ lastActivityMs, lastUsedFrom }: DueFlush): Pick<AccessKeyStatus, 'lastActivity' | 'lastUsedFrom'> {
  return { lastActivity: timestamp(lastActivityMs), lastUsedFrom }
}
