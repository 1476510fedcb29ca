import { outOfService, serviceUnavailable, timeout } from '../api/error.ts'
import { StoreFull, StoreUnavailable } from '../storage/contract.ts'

/** An unavailable store is a refusal that clients retry, not a defect. */
export function refusingWhenUnavailable<T>(work: Promise<T>): Promise<T> {
  return work.catch(refuse)
}

function refuse(error: unknown): never {
  if (!(error instanceof StoreUnavailable)) throw error
  if (error instanceof StoreFull) throw outOfService('StorageFull', error.message)
  throw error.outcomeUnknown
    ? timeout('the store did not confirm the write in time; it may or may not have taken effect', {
        retryAfterSeconds: 1,
      })
    : serviceUnavailable('the store cannot be reached at the moment, please try again')
}
