import { setTimeout as delay } from 'node:timers/promises'

/** Throws the signal's reason as soon as it is aborted. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, signal === undefined ? {} : { signal })
  } catch (error) {
    throw signal?.aborted ? signal.reason : error
  }
}
