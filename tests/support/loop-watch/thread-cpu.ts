import { readFileSync, readlinkSync } from 'node:fs'

/** A thread as Linux names it; there is nothing like it elsewhere. */
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

/** How long the thread has been computing, whatever else the machine had to do; undefined when it is gone. */
export function cpuMsOf({ processId, threadId }: Thread): number | undefined {
  try {
    const [nanoseconds] = readFileSync(`/proc/${processId}/task/${threadId}/schedstat`, 'latin1').split(' ')
    return Number(nanoseconds) / 1e6
  } catch {
    return undefined
  }
}
