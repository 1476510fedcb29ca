import { type ApiError, forbidden, refusedBy } from '../../api/error.ts'
import type { Kind } from '../../api/kind.ts'
import type { ReserveRoom } from '../context.ts'
import type { Reservation } from '../quota/ledger.ts'
import { noReservation } from '../quota/quota.ts'
import { evaluatorOf } from './evaluator-of.ts'
import { type PlannedTogether, planTogether, type WantedCharge } from './plan-charge.ts'
import type { QuotaBook } from './quota-book.ts'

interface CountedWrite extends WantedCharge {
  readonly resource: Kind
}

interface Waiting extends CountedWrite {
  readonly grant: (reservation: Reservation) => void
  readonly refuse: (error: unknown) => void
}

/**
 * Applies ResourceQuotas to writes. Usage is charged before an object is stored, by a write to each quota that fails if
 * another was faster, so that no two writers, on any replica, take the same room. Concurrent writes to one namespace
 * are charged together.
 */
export class QuotaCharges {
  readonly #book: QuotaBook
  /** By namespace, while it is being served. */
  readonly #waiting = new Map<string, Waiting[]>()

  constructor(book: QuotaBook) {
    this.#book = book
  }

  /** Undefined for kinds that no quota counts. */
  reserving(kind: Kind): ReserveRoom | undefined {
    const evaluator = evaluatorOf(kind)
    if (evaluator === undefined) return undefined
    return (write, { subresource, dryRun }) => {
      const { namespace } = write.id
      const isPlain = subresource === '' && (write.old === undefined || evaluator.grows)
      const isCounted = isPlain || (subresource !== '' && subresource === evaluator.growsUnder)
      if (!isCounted || !this.#book.hasQuotas(namespace)) return noReservation
      const charge = this.#book.open(kind, write)
      const { object, old } = write
      return this.#charged(namespace, { resource: kind, evaluator, charge, object, old: old?.object, isDryRun: dryRun })
    }
  }

  #charged(namespace: string, write: CountedWrite): Promise<Reservation> {
    return new Promise((grant, refuse) => {
      const waiting = { ...write, grant, refuse }
      const queue = this.#waiting.get(namespace)
      if (queue !== undefined) {
        queue.push(waiting)
        return
      }
      this.#waiting.set(namespace, [waiting])
      void this.#serve(namespace)
    })
  }

  async #serve(namespace: string): Promise<void> {
    for (;;) {
      const together = this.#waiting.get(namespace) ?? []
      if (together.length === 0) break
      this.#waiting.set(namespace, [])
      await this.#settle(namespace, together)
    }
    this.#waiting.delete(namespace)
  }

  /** Repeats until each of them is charged or refused. If another writer was faster, the quotas are read again. */
  async #settle(namespace: string, together: readonly Waiting[]): Promise<void> {
    let left = together
    try {
      while (left.length > 0) left = await this.#attempt(namespace, left)
    } catch (error) {
      for (const waiting of left) this.#refuse(namespace, waiting, error)
    }
  }

  /** Returns those that are neither charged nor refused. */
  async #attempt(namespace: string, together: readonly Waiting[]): Promise<readonly Waiting[]> {
    const { quotas, charged, refused } = await this.#planned(namespace, together)
    const isStored = await this.#book.store(quotas)
    for (const { wanted, reason } of refused) this.#refuse(namespace, wanted, quotaRefusal(wanted, reason))
    if (!isStored) return charged
    for (const each of charged) each.grant(this.#reservation(namespace, each))
    return []
  }

  /** A charge whose write was never confirmed expires once the write is seen or can no longer happen. */
  #reservation(namespace: string, { charge, isDryRun }: WantedCharge): Reservation {
    if (isDryRun) {
      this.#book.drop(charge)
      return noReservation
    }
    return { release: () => this.#book.close(namespace, charge), unconfirmed: () => {} }
  }

  /** Recounts everything before refusing a write: a recent deletion may have made room. */
  async #planned<T extends CountedWrite>(namespace: string, together: readonly T[]): Promise<PlannedTogether<T>> {
    const planned = planTogether(await this.#book.read(namespace), together)
    if (planned.refused.length === 0) return planned
    return planTogether(await this.#book.readCounted(namespace), together)
  }

  #refuse(namespace: string, { charge, isDryRun, refuse }: Waiting, error: unknown): void {
    if (isDryRun) this.#book.drop(charge)
    else this.#book.close(namespace, charge)
    refuse(error)
  }
}

function quotaRefusal({ resource, object }: CountedWrite, reason: string): ApiError {
  return refusedBy('quota', forbidden(resource, object.metadata.name ?? '', reason))
}
