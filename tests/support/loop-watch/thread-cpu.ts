import { readFileSync, readlinkSync } from 'node:fs'

/** A thread as Linux names it; other systems have no equivalent. */
export interface Thread {
  readonly processId: number
  readonly threadId: number
}

export function thisThread(): Thread | undefined {
  try {
    const [processId, , threadId] = readlinkSync('/proc/thread-self').split('/')
    return { processId: Number(processId), threadId: Number(threadId) }
  } catch {
    return undefined
  }
}

/** The processor time of the thread, independent of other programs; undefined if it has ended. */
export function cpuMsOf({ processId, threadId }: Thread): number | undefined {
  try {
    const [nanoseconds] = readFileSync(`/proc/${processId}/task/${threadId}/schedstat`, 'latin1').split(' ')
    return Number(nanoseconds) / 1e6
  } catch {
    return undefined
  }
}
