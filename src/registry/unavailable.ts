import { serviceUnavailable, timeout } from '../api/error.ts'
import { StoreUnavailable } from '../storage/contract.ts'

/** A store that cannot answer is a refusal that clients retry, not a defect. */
export async function refusingWhenUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    throw error.outcomeUnknown
      ? timeout('the store did not confirm the write in time; it may or may not have taken effect', {
          retryAfterSeconds: 1,
        })
      : serviceUnavailable('the store cannot be reached at the moment, please try again')
  }
}
