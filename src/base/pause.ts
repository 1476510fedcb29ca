import { setTimeout as delay } from 'node:timers/promises'

/** Throws the signal's reason as soon as the signal aborts. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, signal === undefined ? {} : { signal })
  } catch (error) {
    throw signal?.aborted ? signal.reason : error
  }
}

/** Ends early, without an error, when the signal aborts. */
export async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}

/** Waits for work, but at most `ms`. The timer does not keep the process alive. */
export async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms).unref()
  })
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
