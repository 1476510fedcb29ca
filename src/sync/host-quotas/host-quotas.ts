import type { Log } from '../../base/log.ts'
import { resourceQuotaType } from '../../client/builtin-types.ts'
import type { KubeClient } from '../../client/contract.ts'
import { PermittedInformer } from '../run/permitted-informer.ts'
import { madeRoom } from './made-room.ts'

export interface HostQuotasOptions {
  readonly host: KubeClient
  readonly hostNamespace: string
  /** Retries objects that the host refused. */
  readonly tryAgain: () => void
  readonly log: Log
}

/**
 * The shortest pause between retries: where Pods are created and deleted all the time, quotas gain room all the time.
 */
const pauseMs = 1_000

/** Follows the quotas of the host, so that refused objects are retried as soon as there is room. */
export class HostQuotas {
  readonly #found: PermittedInformer
  readonly #tryAgain: () => void
  /** Set while the last retry has its time. */
  #pause: NodeJS.Timeout | undefined
  #hasMoreRoom = false

  constructor({ host, hostNamespace, tryAgain, log }: HostQuotasOptions) {
    this.#tryAgain = tryAgain
    this.#found = new PermittedInformer({
      client: host,
      type: resourceQuotaType,
      selection: { namespace: hostNamespace },
      changed: (change) => {
        if (madeRoom(change)) this.#madeRoom()
      },
      withoutRight: () => log.debug('quotas of the host may not be read'),
    })
    void this.#found.start()
  }

  stop(): void {
    clearTimeout(this.#pause)
    this.#found.stop()
  }
  #madeRoom(): void {
    this.#hasMoreRoom = true
    if (this.#pause === undefined) this.#useRoom()
  }

  #useRoom(): void {
    this.#pause = undefined
    if (!this.#hasMoreRoom) return
    this.#hasMoreRoom = false
    this.#pause = setTimeout(() => this.#useRoom(), pauseMs).unref()
    this.#tryAgain()
  }
}
