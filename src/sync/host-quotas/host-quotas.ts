import type { Log } from '../../base/log.ts'
import { resourceQuotaType } from '../../client/builtin-types.ts'
import type { KubeClient } from '../../client/contract.ts'
import type { QuotaRoom } from '../run/failures/refused-by-host.ts'
import { PermittedInformer } from '../run/permitted-informer.ts'
import { madeRoom } from './made-room.ts'

export interface HostQuotasOptions {
  readonly host: KubeClient
  readonly hostNamespace: string
  /** Retries objects that the host refused, and for which there is room now. */
  readonly tryAgain: (room: QuotaRoom) => void
  readonly log: Log
}

/**
 * The shortest pause between retries: where Pods are created and deleted all the time, quotas gain room all the time.
 */
const pauseMs = 1_000

/** Follows the quotas of the host, so that refused objects are retried as soon as there is room. */
export class HostQuotas {
  readonly #found: PermittedInformer
  readonly #tryAgain: (room: QuotaRoom) => void
  /** Set while the last retry has its time. */
  #pause: NodeJS.Timeout | undefined
  /** Since the last retry. */
  #room: QuotaRoom = new Set()

  constructor({ host, hostNamespace, tryAgain, log }: HostQuotasOptions) {
    this.#tryAgain = tryAgain
    this.#found = new PermittedInformer({
      client: host,
      type: resourceQuotaType,
      selection: { namespace: hostNamespace },
      changed: (change) => this.#add(madeRoom(change)),
      withoutRight: () => log.debug('quotas of the host may not be read'),
    })
    void this.#found.start()
  }

  stop(): void {
    clearTimeout(this.#pause)
    this.#found.stop()
  }

  #add(room: QuotaRoom): void {
    this.#room = room === 'anything' || this.#room === 'anything' ? 'anything' : new Set([...this.#room, ...room])
    if (this.#pause === undefined) this.#useRoom()
  }

  #useRoom(): void {
    this.#pause = undefined
    const room = this.#room
    if (room !== 'anything' && room.size === 0) return
    this.#room = new Set()
    this.#pause = setTimeout(() => this.#useRoom(), pauseMs).unref()
    this.#tryAgain(room)
  }
}
