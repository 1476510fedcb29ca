import { type HealthCheck, Unhealthy } from '../server/contract.ts'
import type { Store } from '../storage/contract.ts'
import type { StoreRoom } from './store-room.ts'

const patienceMs = 3_000

/** Health is answered in time, also when the store does not answer. */
export function storageCheck(store: Pick<Store, 'currentRevision'>): HealthCheck {
  return { name: 'storage', only: ['readyz'], check: () => answersInTime(store) }
}

/** Who only reads is still served, and another server would find the same store: so this fails no check. */
export function writesCheck({ fullBecause }: Pick<StoreRoom, 'fullBecause'>): HealthCheck {
  return { name: 'storage-writes', check: () => {}, trouble: fullBecause }
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
