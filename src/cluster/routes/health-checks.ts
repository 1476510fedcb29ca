import { type HealthCheck, Unhealthy } from '../../server/contract.ts'
import type { Store } from '../../storage/contract.ts'
import type { StoreRoom } from '../store/store-room.ts'

const patienceMs = 3_000

/**
 * Health checks answer in time, even if the store does not. The name is the one that probes of a kube-apiserver ask for,
 * whatever the store.
 */
export function storageCheck(store: Pick<Store, 'currentRevision'>): HealthCheck {
  return { name: 'etcd', only: ['readyz'], alone: 'everywhere', check: () => answersInTime(store) }
}

/** Reads are still served, and another server would find the same store, so no check fails. */
export function writesCheck({ fullBecause }: Pick<StoreRoom, 'fullBecause'>): HealthCheck {
  return { name: 'storage-writes', check: () => {}, trouble: fullBecause }
}

/** Callers have no rights before the initial objects exist, and the administrator none before its key does. */
export class StartCheck {
  #isOver = false

  readonly check: HealthCheck = {
    name: 'start',
    only: ['readyz'],
    check: () => {
      if (!this.#isOver) throw new Unhealthy('the server is starting')
    },
  }

  end(): void {
    this.#isOver = true
  }
}

async function answersInTime(store: Pick<Store, 'currentRevision'>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Unhealthy('the store does not answer')), patienceMs)
  })
  try {
    await Promise.race([store.currentRevision(), late])
  } finally {
    clearTimeout(timer)
  }
}
